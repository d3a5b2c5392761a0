/** What a provider lists of an account's money, as it is kept. */
import { type ChargeDispute, type Movement, type PaymentPort, type Period } from '../../gateways/payments/port.js';
import type { KeptMovement } from '../../models/finances/reconciliation/keepMovements.js';

/** Pages of the provider that are kept in one statement. */
const PAGES_AT_ONCE = 10;

/** The next pages together. */
export async function pagesAfter(
  port: PaymentPort,
  organizationId: string,
  period: Period,
  after: string | null,
): Promise<{ movements: KeptMovement[]; next: string | null }> {
  const movements: KeptMovement[] = [];
  let next = after;
  for (let pages = 0; pages < PAGES_AT_ONCE; pages += 1) {
    const page = await port.listMovements(period, next);
    movements.push(...page.movements.map((one) => kept(one, organizationId)));
    next = page.next;
    if (next === null) break;
  }
  return { movements, next };
}

const kept = (movement: Movement, organizationId: string): KeptMovement => ({
  movement_id: movement.movementId,
  kind: movement.kind,
  amount_cents: movement.amountCents,
  fee_cents: movement.feeCents,
  currency: movement.currency,
  moved_at: movement.at,
  intent_id: movement.intentId,
  gateway_refund_id: movement.gatewayRefundId,
  marks: marksOf(movement.reference, organizationId),
});

const OURS = ['processor_id', 'remittance_id', 'invoice_id', 'attempt_id', 'refund_id'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Ids of ours alone: an account may do other business, with names and addresses, and that of another organization. */
export function marksOf(reference: Record<string, string>, organizationId: string): Record<string, string> {
  if ((reference['organization_id'] ?? organizationId) !== organizationId) return {};
  return Object.fromEntries(Object.entries(reference).filter(([name, id]) => OURS.includes(name) && UUID.test(id)));
}

/** What disputes hold of a charge, as our books count it. */
export const heldBy = (disputes: ChargeDispute[]): number =>
  disputes.reduce((sum, { movements, held: now }) => {
    if (now) return sum + now.cents;
    const held = movements.reduce(
      (cents, { kind, amountCents }) =>
        cents + (kind === 'withdrawn' ? amountCents : kind === 'reinstated' ? -amountCents : 0),
      0,
    );
    return sum + Math.max(0, held);
  }, 0);
