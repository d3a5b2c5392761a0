/** Money that goes back: of one member of a remittance, waived with it, above an officer's cap, as credit; where each cent went; and what comes back. */
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailed, made, problem, type Row } from './client.js';
import { money, screen } from './screen.js';
import type { RemittanceView, Stage } from './stage.js';

const PATIENCE_S = 60;

interface Refunded {
  refunds: (Row & { status: string; amount_cents: number; gateway_refund_id: string | null })[];
  invoice: { status: string; balance_due_cents: number };
}

/** @throws DemoFailed */
export async function giveBack(stage: Stage): Promise<void> {
  const remittance = await stage.draft(4);
  const { status, body } = await stage.pay(remittance, 'pm_card_visa');
  if (status !== 200) throw new DemoFailed(`It was not paid: ${problem(body)}`);
  screen.done(`One charge of ${money(remittance.total_cents)} paid ${remittance.allocations.length} members.`);
  const [first, second, third, fourth] = remittance.allocations as [Share, Share, Share, Share];

  screen.chapter('1. One member of four is given their money back');
  const back = await refund(stage, stage.admin, first, {});
  screen.done(`${nameOf(first)}: ${money(back.refunds[0]?.amount_cents ?? 0)} went back on the charge of all four.`);
  screen.done(`Their invoice is ${back.invoice.status} again; the other three stay paid.`);
  const again = await stage.admin.post(`/api/invoices/${first.invoice}/refund/`, REASON);
  screen.note(`once more: ${again.status} ${problem(again.body)}`);

  screen.chapter('2. What goes back is waived with it');
  const waived = await refund(stage, stage.admin, second, { amount_cents: 1_000, waive: true });
  screen.done(`${money(1_000)} went back, and nothing is due: the invoice is ${waived.invoice.status}.`);

  screen.chapter('3. An officer’s cap, which splitting does not evade');
  await refund(stage, stage.treasurer, third, { amount_cents: 3_000 });
  screen.done(`The treasurer gives ${money(3_000)} back without asking.`);
  const wanted = { ...REASON, amount_cents: 2_500 };
  const asked = await made(stage.treasurer.post(`/api/invoices/${third.invoice}/refund/`, wanted), 202);
  screen.done(`${money(2_500)} more would be beyond the cap: 202, ${String(asked['status'])}. Nothing is reserved.`);
  const review = `/api/organizations/${stage.organizationId}/refund-requests/${asked.id}/review/`;
  const own = await stage.treasurer.post(review, { decision: 'approve' });
  screen.note(`the treasurer decides nothing: ${own.status} ${String(own.body['code'])}`);
  await made(stage.admin.post(review, { decision: 'approve', notes: 'The event was cancelled.' }));
  screen.done('An administrator approves, and it goes back.');

  screen.chapter('4. Credit goes back on the charge that it came from');
  const { membership } = await stage.admin.get<{ membership: string }>(`/api/invoices/${fourth.invoice}/`);
  await made(stage.admin.post(`/api/invoices/${fourth.invoice}/void/`, { reason: 'Billed by mistake.' }));
  const credit = `/api/hq/dues/${stage.organizationId}/chapters/${stage.chapterId}/credit/refund/?member=${membership}`;
  const sent = await made(stage.admin.post(credit, { ...REASON, amount_cents: fourth.amount_cents }), 201);
  const [refunded] = sent['refunds'] as { status: string; amount_cents: number }[];
  screen.done(
    `${nameOf(fourth)}’s invoice was voided, and what had become credit goes back: ${money(refunded?.amount_cents ?? 0)}, ${refunded?.status ?? '?'}.`,
  );
  await explain(stage, second);
  await bounce(stage, first, back);
}

/** What comes back waits for somebody as a case, which ends with what puts it right. */
async function bounce(stage: Stage, share: Share, { refunds: [gone] }: Refunded): Promise<void> {
  screen.chapter(`6. The bank sends ${nameOf(share)}’s refund back: a case, and its end`);
  if (!stage.gateway) return screen.note('Left out: this gateway cannot be broken on demand.');
  if (!gone?.gateway_refund_id) throw new DemoFailed('The refund has no id at the gateway.');
  await stage.gateway.sendBack(gone.gateway_refund_id);
  await untilIs(stage, gone.id, 'failed');
  const address = `/api/organizations/${stage.organizationId}/money-cases/?kind=refund_bounced`;
  const read = async () =>
    (await stage.admin.get<{ results: Case[] }>(address)).results.find((one) => one.refund === gone.id);
  const open = await read();
  screen.done(
    `The invoice counts as paid again, and a case of ${money(open?.amount_cents ?? null)} is ${open?.status ?? 'missing'}.`,
  );
  await refund(stage, stage.admin, share, {});
  const closed = await read();
  if (closed?.status !== 'closed') throw new DemoFailed('The case has not closed itself.');
  screen.done(`Given back once more, the case has closed itself: ${closed.resolution ?? '?'}.`);
}

interface Case {
  refund: string | null;
  status: string;
  amount_cents: number;
  resolution: string | null;
}

/** Each line of an account, to the balance. */
async function explain(stage: Stage, share: Share): Promise<void> {
  screen.chapter(`5. Where each cent of ${nameOf(share)}’s invoice went`);
  const { entries } = await stage.admin.get<Explained>(`/api/invoices/${share.invoice}/explain/`);
  for (const { cause, effect_cents: effect, running_balance_cents: left, actor, reason } of entries)
    screen.note(
      `${cause.kind}: ${money(effect)}, then ${money(left)} (${actor?.name ?? 'nobody asked'}${reason ? `: ${reason}` : ''})`,
    );
  const { balance_due_cents: due } = await stage.admin.get<{ balance_due_cents: number }>(
    `/api/invoices/${share.invoice}/`,
  );
  if (entries.at(-1)?.running_balance_cents !== due) throw new DemoFailed('The last line is not the balance.');
  screen.done(`The last line is the balance: ${money(due)}.`);
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

/** Gives money back, and waits until the provider has said so. */
async function refund(stage: Stage, as: Stage['admin'], { invoice }: Share, body: object): Promise<Refunded> {
  const answer = await made(as.post(`/api/invoices/${invoice}/refund/`, { ...REASON, ...body }), 201);
  const { refunds } = answer as unknown as Refunded;
  for (const { id } of refunds) await untilIs(stage, id, 'succeeded');
  return answer as unknown as Refunded;
}

async function untilIs(stage: Stage, refundId: string, wanted: 'succeeded' | 'failed'): Promise<void> {
  for (let waited = 0; waited < PATIENCE_S; waited += 1) {
    const { status } = await stage.admin.get<{ status: string }>(`/api/refunds/${refundId}/`);
    if (status === wanted) return;
    await sleep(1000);
  }
  throw new DemoFailed(`The refund ${refundId} is not ${wanted} after ${PATIENCE_S} s.`);
}
