/** Converts a provider's list of money movements to the stored form. */
import { type ChargeDispute, type Movement, type PaymentPort, type Period } from '../../gateways/payments/port.js';
import type { MovementRow } from '../../models/finances/reconciliation/saveMovements.js';

/** Maximum number of provider pages in one batch. */
const MAX_PROVIDER_PAGES = 10;

/** Reads the next provider pages as one batch. */
export async function readMovementBatch(
  port: PaymentPort,
  organizationId: string,
  period: Period,
  after: string | null,
): Promise<{ movements: MovementRow[]; next: string | null }> {
  const movements: MovementRow[] = [];
  let next = after;
  for (let pages = 0; pages < MAX_PROVIDER_PAGES; pages += 1) {
    const page = await port.listMovements(period, next);
    movements.push(...page.movements.map((movement) => toStoredMovement(movement, organizationId)));
    next = page.next;
    if (next === null) break;
  }
  return { movements, next };
}

const toStoredMovement = (movement: Movement, organizationId: string): MovementRow => ({
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

const OWN_KEYS = ['processor_id', 'remittance_id', 'invoice_id', 'attempt_id', 'refund_id'];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Keeps only the ids of this platform. The provider account may also serve other business or another organization: the
 * metadata of other business contains names and addresses, and another organization's ids are dropped.
 */
export function marksOf(reference: Record<string, string>, organizationId: string): Record<string, string> {
  if ((reference['organization_id'] ?? organizationId) !== organizationId) return {};
  return Object.fromEntries(Object.entries(reference).filter(([name, id]) => OWN_KEYS.includes(name) && UUID.test(id)));
}

/** Returns the cents that disputes withhold from a charge, as the ledger counts them. */
export const heldByDisputes = (disputes: ChargeDispute[]): number =>
  disputes.reduce((sum, { movements, held: current }) => {
    if (current) return sum + current.cents;
    const held = movements.reduce(
      (cents, { kind, amountCents }) =>
        cents + (kind === 'withdrawn' ? amountCents : kind === 'reinstated' ? -amountCents : 0),
      0,
    );
    return sum + Math.max(0, held);
  }, 0);
