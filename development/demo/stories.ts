/** The payment stories of the demo: in each, a remittance is paid and something different happens. */
import { DemoFailed, problem } from './client.js';
import type { DemoGateway } from './gateway.js';
import { money, screen } from './screen.js';
import type { RemittanceView, Stage } from './stage.js';

type Story = (stage: Stage) => Promise<void>;

/** One charge pays the dues of many members. */
export const payTheDues: Story = async (stage) => {
  screen.chapter('1. One charge pays 25 members');
  const remittance = await stage.draft(25);
  screen.step('paying with pm_card_visa');
  const { status, body } = await stage.pay(remittance, 'pm_card_visa');
  if (status !== 200) throw new DemoFailed(`It was not paid: ${problem(body)}`);
  const settled = body as unknown as RemittanceView;
  showSettled(settled);
  for (const { payer_name: payer, amount_cents: cents, processor_payment_id: key } of settled.allocations.slice(0, 3)) {
    screen.note(`${payer ?? 'a member'}: ${money(cents)}, payment ${key ?? '?'}`);
  }
  screen.note(`… and ${settled.allocations.length - 3} more`);
  await stage.showProcesses(remittance);
};

/** A declined card charges nothing; a second card pays. */
export const declinedCard: Story = async (stage) => {
  screen.chapter('2. A declined card');
  const remittance = await stage.draft(3);
  screen.step('paying with pm_card_chargeDeclined');
  const declined = await stage.pay(remittance, 'pm_card_chargeDeclined');
  if (declined.status !== 400) throw new DemoFailed(`A declined card should be a 400, and was a ${declined.status}.`);
  screen.done(`400 ${problem(declined.body)}`);
  const draft = await stage.read(remittance);
  if (draft.status !== 'draft') throw new DemoFailed(`It should be a draft still, and is ${draft.status}.`);
  screen.done('The remittance is still a draft. Paying with another card:');
  const paid = await stage.pay(remittance, 'pm_card_mastercard');
  if (paid.status !== 200) throw new DemoFailed(`It was not paid: ${problem(paid.body)}`);
  showSettled(paid.body as unknown as RemittanceView);
  await stage.showProcesses(remittance);
};

/** The gateway captures the money, and its answer is lost. */
export const lostAnswer: Story = async (stage) => {
  screen.chapter('3. A charge whose answer is lost');
  if (!stage.gateway) return screen.note('Skipped: faults cannot be injected into this gateway.');
  const remittance = await stage.draft(3);
  // Inject the fault twice, because the SDK retries on its own when a connection breaks.
  await stage.gateway.injectFault('drop_after_capture', { remittance_id: remittance.id }, 2);
  screen.step('paying; the gateway captures and then drops the connection');
  const { status, body } = await stage.pay(remittance, 'pm_card_visa');
  if (status === 409 && body['code'] === 'remittance_in_progress') screen.done(`409 ${problem(body)}`);
  else if (status !== 200) throw new DemoFailed(`Answered ${status} ${problem(body)}`);
  showSettled(await stage.until(remittance, 'settled'));
  const moved = await stage.gateway.moved(remittance.id);
  if (moved.length !== 1) throw new DemoFailed(`The money moved ${moved.length} times.`);
  screen.done(`The gateway's own ledger: ${money(moved[0]?.amount_cents ?? 0)} moved, once.`);
  await stage.showProcesses(remittance);
};

/** An invoice is voided during its charge: the remittance is flagged, and an officer allocates the money. */
export const staleAllocation: Story = async (stage) => {
  screen.chapter('4. An allocation that becomes stale while the card is charged');
  if (!stage.gateway) return screen.note('Skipped: faults cannot be injected into this gateway.');
  const flagged = await flagRemittance(stage, stage.gateway);
  await resolve(stage, flagged);
  await stage.showProcesses(flagged);
};

/** Voids an invoice of a remittance during its charge. @returns the remittance, flagged */
export async function flagRemittance(stage: Stage, gateway: DemoGateway): Promise<RemittanceView> {
  const remittance = await stage.draft(3);
  const [first] = remittance.allocations;
  if (!first) throw new DemoFailed('The remittance has no allocations.');
  await gateway.injectFault('hold', { remittance_id: remittance.id });
  screen.step('paying; the gateway holds the charge');
  const paying = stage.pay(remittance, 'pm_card_visa');
  try {
    await gateway.waitUntilHeld();
    const reason = 'Billed by mistake; voided while the demo was paying it.';
    const voided = await stage.admin.post(`/api/invoices/${first.invoice}/void/`, { reason });
    if (voided.status !== 200) throw new DemoFailed(`The invoice was not voided: ${problem(voided.body)}`);
    screen.done(`Meanwhile an admin voids the invoice of ${first.payer_name ?? 'a member'}.`);
  } finally {
    await gateway.release({ remittance_id: remittance.id });
  }
  const { status, body } = await paying;
  if (status !== 409) throw new DemoFailed(`A stale allocation should be a 409, and was a ${status}.`);
  screen.done(`409 ${problem(body)}`);
  const flagged = await stage.until(remittance, 'needs_reconciliation');
  screen.done(
    `Flagged: ${flagged.reconciliation_reason ?? '?'}, ${money(flagged.reconciliation_amount_cents)} are unallocated; no member is credited.`,
  );
  return flagged;
}

/** Allocates the money of the voided invoice to other invoices; the other allocations stay unchanged. */
async function resolve(stage: Stage, flagged: RemittanceView): Promise<void> {
  const allocations = flagged.allocations
    .filter(({ is_stale: stale }) => !stale)
    .map(({ invoice, amount_cents }) => ({ invoice, amount_cents }));
  let remaining =
    (flagged.reconciliation_amount_cents ?? 0) - allocations.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
  while (remaining > 0) {
    const [invoice] = stage.take(1);
    const cents = Math.min(remaining, invoice?.balance_due_cents ?? 0);
    allocations.push({ invoice: invoice?.id ?? '', amount_cents: cents });
    remaining -= cents;
  }
  screen.step(`resolving: the same money, now over ${allocations.length} invoices`);
  const { status, body } = await stage.treasurer.post(`/api/billing/remittances/${flagged.id}/resolve/`, {
    allocations,
    resolution_note: 'The voided allocation went to other open invoices of the chapter.',
  });
  if (status !== 200) throw new DemoFailed(`It was not resolved: ${problem(body)}`);
  showSettled(body as unknown as RemittanceView);
}

const showSettled = ({ status, total_cents: total, allocations }: RemittanceView): void => {
  if (status !== 'settled') throw new DemoFailed(`It should be settled, and is ${status}.`);
  screen.done(`Settled: one charge of ${money(total)}, ${allocations.length} members credited.`);
};
