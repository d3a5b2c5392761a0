/** Opens and closes money cases in the same transaction as the change that causes or removes the discrepancy. */
import { createRow, editRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { firstRow } from '../../database/rows.js';
import { resolveNotifications } from '../../notifications/resolve.js';
import { auditCase } from './syncUnallocatedCase.js';
import { type CaseKind, type Difference, MoneyCase } from './MoneyCase.js';

/** The key of a case; one open case per key exists at a time. */
export interface CaseKey {
  kind: Exclude<CaseKind, Difference | 'refund_unknown' | 'dispute_unallocated'>;
  /** The payment processor that the case is about; null if none is involved. */
  processorId: string | null;
  /** The provider's id of the object, or the id of our row where the provider has none. */
  gatewayObject: string;
}

interface CaseFact extends CaseKey {
  amountCents: number;
  /** The row that the case is about. */
  of: { remittance_id: string } | { refund_id: string } | { settlement_id: string } | Record<string, never>;
}

/**
 * Opens a case, once, or updates its amount. The caller has locked the row that the case is about, and sends the
 * notifications itself.
 */
export async function openCase({ kind, processorId, gatewayObject, amountCents, of }: CaseFact): Promise<void> {
  const open = await lockOpenCase({ kind, processorId, gatewayObject });
  if (!open) {
    const values = { kind, processor_id: processorId, gateway_object: gatewayObject, amount_cents: amountCents, ...of };
    return auditCase(await createRow(MoneyCase, values), 'opened');
  }
  if (open.amount_cents === amountCents) return;
  await editRow(open, { amount_cents: amountCents });
  await auditCase(open, 'changed');
}

/** Closes a case whose discrepancy no longer exists. */
async function closeCase(key: CaseKey): Promise<void> {
  const open = await lockOpenCase(key);
  if (open) await closeAsAgreed(open);
}

const lockOpenCase = ({ kind, processorId, gatewayObject }: CaseKey) =>
  lockForEditIfExists(MoneyCase, { kind, processor_id: processorId, gateway_object: gatewayObject, status: 'open' });

export async function closeAsAgreed(open: MoneyCase): Promise<void> {
  await editRow(open, { status: 'closed', resolution: 'agreed', closed_at: now });
  await auditCase(open, 'closed');
  await resolveNotifications('money_case', open.id);
}

/**
 * Sets the case of a remittance's charge to the amount that is still flagged: opens, updates or closes the case. The
 * caller has locked the charge.
 */
export async function syncFlaggedCase(captureId: string): Promise<void> {
  const charge = await firstRow<{ processor_id: string; intent_id: string; remittance_id: string; cents: number }>(
    `SELECT c.processor_id, c.intent_id, c.remittance_id, CASE c.disposition WHEN 'flagged' THEN app.uncredited_of_capture(c.organization_id, c.id) ELSE 0 END AS cents
       FROM processor_captures c WHERE c.id = $1 AND c.remittance_id IS NOT NULL`,
    [captureId],
  );
  if (!charge) return;
  const { processor_id: processorId, intent_id: gatewayObject, remittance_id, cents } = charge;
  const key = { kind: 'remittance_flagged', processorId, gatewayObject } as const;
  await (cents > 0 ? openCase({ ...key, amountCents: cents, of: { remittance_id } }) : closeCase(key));
}

/**
 * Closes the case about a refund of this payment that the bank returned, if at least the amount of the case was
 * refunded again.
 * @param cents the amount that was refunded again
 */
export async function closeBouncedCase(paymentId: string, cents: number): Promise<void> {
  const bounced = await firstRow<{ processor_id: string; gateway_object: string }>(
    `SELECT k.processor_id, k.gateway_object FROM money_cases k
       JOIN refunds r ON r.organization_id = k.organization_id AND r.id = k.refund_id
      WHERE k.kind = 'refund_bounced' AND k.status = 'open' AND r.payment_record_id = $1 AND k.amount_cents <= $2 ORDER BY k.id LIMIT 1`,
    [paymentId, cents],
  );
  if (!bounced) return;
  await closeCase({
    kind: 'refund_bounced',
    processorId: bounced.processor_id,
    gatewayObject: bounced.gateway_object,
  });
}
