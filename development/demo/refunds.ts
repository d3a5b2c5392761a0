/**
 * The refund story: a refund to one member of a remittance, a refund that also waives the debt, one above an officer's
 * cap, and one of credit. Then an explanation of each cent, and a refund that the bank returns.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailed, expectStatus, problem, type Row } from './client.js';
import { money, screen } from './screen.js';
import type { RemittanceView, Stage } from './stage.js';

const TIMEOUT_S = 60;

interface Refunded {
  refunds: (Row & { status: string; amount_cents: number; gateway_refund_id: string | null })[];
  invoice: { status: string; balance_due_cents: number };
}

/**
 * Plays the refunds of a remittance that was paid with one charge.
 * @throws DemoFailed
 */
export async function showRefunds(stage: Stage): Promise<void> {
  const remittance = await stage.draft(4);
  const { status, body } = await stage.pay(remittance, 'pm_card_visa');
  if (status !== 200) throw new DemoFailed(`It was not paid: ${problem(body)}`);
  screen.done(`One charge of ${money(remittance.total_cents)} paid ${remittance.allocations.length} members.`);
  const [first, second, third, fourth] = remittance.allocations as [Share, Share, Share, Share];

  screen.chapter('1. One of four members gets a refund');
  const back = await refund(stage, stage.admin, first, {});
  screen.done(
    `${nameOf(first)}: ${money(back.refunds[0]?.amount_cents ?? 0)} were refunded on the charge of all four.`,
  );
  screen.done(`Their invoice is ${back.invoice.status} again; the other three stay paid.`);
  const again = await stage.admin.post(`/api/invoices/${first.invoice}/refund/`, REASON);
  screen.note(`a second refund: ${again.status} ${problem(again.body)}`);

  screen.chapter('2. A refund that also waives the debt');
  const waived = await refund(stage, stage.admin, second, { amount_cents: 1_000, waive: true });
  screen.done(`${money(1_000)} were refunded and nothing is due: the invoice is ${waived.invoice.status}.`);

  screen.chapter('3. An officer’s cap, which splitting a refund does not evade');
  await refund(stage, stage.treasurer, third, { amount_cents: 3_000 });
  screen.done(`The treasurer refunds ${money(3_000)} without approval.`);
  const wanted = { ...REASON, amount_cents: 2_500 };
  const request = await expectStatus(stage.treasurer.post(`/api/invoices/${third.invoice}/refund/`, wanted), 202);
  screen.done(`${money(2_500)} more would exceed the cap: 202, ${String(request['status'])}. Nothing is reserved.`);
  const review = `/api/organizations/${stage.organizationId}/refund-requests/${request.id}/review/`;
  const own = await stage.treasurer.post(review, { decision: 'approve' });
  screen.note(`the treasurer may not decide: ${own.status} ${String(own.body['code'])}`);
  await expectStatus(stage.admin.post(review, { decision: 'approve', notes: 'The event was cancelled.' }));
  screen.done('An administrator approves, and the refund is made.');

  screen.chapter('4. Credit is refunded on the charge that it came from');
  const { membership } = await stage.admin.get<{ membership: string }>(`/api/invoices/${fourth.invoice}/`);
  await expectStatus(stage.admin.post(`/api/invoices/${fourth.invoice}/void/`, { reason: 'Billed by mistake.' }));
  const credit = `/api/hq/dues/${stage.organizationId}/chapters/${stage.chapterId}/credit/refund/?member=${membership}`;
  const sent = await expectStatus(stage.admin.post(credit, { ...REASON, amount_cents: fourth.amount_cents }), 201);
  const [refunded] = sent['refunds'] as { status: string; amount_cents: number }[];
  screen.done(
    `${nameOf(fourth)}’s invoice was voided, and the resulting credit is refunded: ${money(refunded?.amount_cents ?? 0)}, ${refunded?.status ?? '?'}.`,
  );
  await explain(stage, second);
  await bounce(stage, first, back);
}

/** The bank returns a refund: a case is opened, and a new refund closes it. */
async function bounce(stage: Stage, share: Share, { refunds: [returned] }: Refunded): Promise<void> {
  screen.chapter(`6. The bank sends ${nameOf(share)}’s refund back: a case is opened and closed`);
  if (!stage.gateway) return screen.note('Skipped: faults cannot be injected into this gateway.');
  if (!returned?.gateway_refund_id) throw new DemoFailed('The refund has no id at the gateway.');
  await stage.gateway.bounceRefund(returned.gateway_refund_id);
  await untilIs(stage, returned.id, 'failed');
  const address = `/api/organizations/${stage.organizationId}/money-cases/?kind=refund_bounced`;
  const read = async () =>
    (await stage.admin.get<{ results: Case[] }>(address)).results.find((one) => one.refund === returned.id);
  const open = await read();
  screen.done(
    `The invoice counts as paid again, and a case of ${money(open?.amount_cents ?? null)} is ${open?.status ?? 'missing'}.`,
  );
  await refund(stage, stage.admin, share, {});
  const closed = await read();
  if (closed?.status !== 'closed') throw new DemoFailed('The case was not closed by the new refund.');
  screen.done(`A new refund closed the case: ${closed.resolution ?? '?'}.`);
}

interface Case {
  refund: string | null;
  status: string;
  amount_cents: number;
  resolution: string | null;
}

/** Prints each entry of the invoice's account, up to the balance. */
async function explain(stage: Stage, share: Share): Promise<void> {
  screen.chapter(`5. The account of ${nameOf(share)}’s invoice`);
  const { entries } = await stage.admin.get<Explained>(`/api/invoices/${share.invoice}/explain/`);
  for (const { cause, effect_cents: effect, running_balance_cents: balance, actor, reason } of entries)
    screen.note(
      `${cause.kind}: ${money(effect)}, then ${money(balance)} (${actor?.name ?? 'automatic'}${reason ? `: ${reason}` : ''})`,
    );
  const { balance_due_cents: due } = await stage.admin.get<{ balance_due_cents: number }>(
    `/api/invoices/${share.invoice}/`,
  );
  if (entries.at(-1)?.running_balance_cents !== due) throw new DemoFailed('The last entry is not the balance.');
  screen.done(`The last entry is the balance: ${money(due)}.`);
}

interface Explained {
  entries: {
    effect_cents: number;
    running_balance_cents: number;
    reason: string | null;
    actor: { name: string } | null;
    cause: { kind: string };
  }[];
}

type Share = RemittanceView['allocations'][number];

const REASON = { reason: 'The event was cancelled' };
const nameOf = ({ payer_name: name }: Share): string => name ?? 'a member';

/** Refunds an invoice and waits until the provider confirms. */
async function refund(stage: Stage, as: Stage['admin'], { invoice }: Share, body: object): Promise<Refunded> {
  const answer = await expectStatus(as.post(`/api/invoices/${invoice}/refund/`, { ...REASON, ...body }), 201);
  const { refunds } = answer as unknown as Refunded;
  for (const { id } of refunds) await untilIs(stage, id, 'succeeded');
  return answer as unknown as Refunded;
}

async function untilIs(stage: Stage, refundId: string, wanted: 'succeeded' | 'failed'): Promise<void> {
  for (let waited = 0; waited < TIMEOUT_S; waited += 1) {
    const { status } = await stage.admin.get<{ status: string }>(`/api/refunds/${refundId}/`);
    if (status === wanted) return;
    await sleep(1000);
  }
  throw new DemoFailed(`The refund ${refundId} is not ${wanted} after ${TIMEOUT_S} s.`);
}
