/** Converts a provider's list of money movements to the stored form. */
import { type ChargeDispute, type Movement, type PaymentPort, type Period } from '../../gateways/payments/port.js';
import type { KeptMovement } from '../../models/finances/reconciliation/keepMovements.js';

/** Provider pages stored by one statement. */
const PAGES_AT_ONCE = 10;

/** Reads the next provider pages as one batch. */
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

/**
 * Keeps only our own ids: the account may serve other business, with names and addresses, or another organization.
 */
export function marksOf(reference: Record<string, string>, organizationId: string): Record<string, string> {
  if ((reference['organization_id'] ?? organizationId) !== organizationId) return {};
  return Object.fromEntries(Object.entries(reference).filter(([name, id]) => OURS.includes(name) && UUID.test(id)));
}

/** Amount that disputes withhold from a charge, as the books count it. */
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
