/** The database steps of the workflow that makes a refund through the provider. */
import { changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { currentOrganization, firstRow, rows } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import type { ChargeState } from '../attempts/chargeOfAttempt.js';
import { openAccess, type ProcessorAccess } from '../attempts/processorAccess.js';
import { CAPTURE_VERSION_SQL } from '../captures/setRefundedTotal.js';
import { refundCapture, type RefundsRead } from '../captures/refundCapture.js';
import { Refund } from './Refund.js';
import { CANCELLED, failRefund } from './settleRefunds.js';

export interface RefundToSend {
  id: string;
  processorId: string;
  intentId: string;
  amountCents: number;
  status: Refund['status'];
  /**
   * Whether the provider may be asked for the refund: it was not asked yet, or it still knows the idempotency key of
   * the earlier request.
   */
  mayBeAsked: boolean;
  /** Version of the capture, read before the provider is asked, to notice changes in the meantime. */
  version: string;
  access: ProcessorAccess;
}

interface Row extends Omit<RefundToSend, 'access'> {
  provider: string;
  secret: string;
}

/**
 * Providers forget idempotency keys after a day. Within these hours, a second request with the same key makes no second
 * refund.
 */
const KEY_VALID_HOURS = 23;

/**
 * Loads a refund with the credentials of its processor.
 * @throws RowMissing when this tenant has no such refund, or it was made by hand
 */
export async function loadRefund(refundId: string): Promise<RefundToSend> {
  const row = await firstRow<Row>(
    `SELECT r.id, c.processor_id AS "processorId", c.intent_id AS "intentId", r.amount_cents AS "amountCents", r.status,
            coalesce(r.sent_at > now() - ${KEY_VALID_HOURS} * interval '1 hour', true) AS "mayBeAsked", ${CAPTURE_VERSION_SQL} AS version,
            p.provider, p.secret_key_encrypted AS secret
       FROM refunds r
       JOIN processor_captures c ON c.organization_id = r.organization_id AND c.id = r.capture_id
       JOIN org_payment_processors p ON p.organization_id = c.organization_id AND p.id = c.processor_id
      WHERE r.id = $1`,
    [refundId],
  );
  if (!row) throw new RowMissing('There is no such refund.');
  const { provider, secret, ...refund } = row;
  return { ...refund, access: openAccess(row.processorId, provider, secret) };
}

/**
 * Marks a refund as sent. The caller commits this before it asks the provider; from then on the money may have been
 * refunded. @returns false when the refund was cancelled
 */
export async function markRefundSent(refundId: string): Promise<boolean> {
  await changeRow(Refund, { id: refundId, status: 'reserved' }, { status: 'processing', sent_at: now });
  return (await readRefundStatus(refundId)) === 'processing';
}

/**
 * Cancels a refund that was not sent yet, and releases the reserved money. @returns false when it is too late to cancel
 */
export async function cancelRefund(refundId: string): Promise<boolean> {
  const refund = await lockForEditIfExists(Refund, refundId);
  if (refund?.status === 'reserved') await failRefund(refundId, CANCELLED);
  return refund?.status === 'reserved' || refund?.failure_code === CANCELLED;
}

/**
 * Records all refunds of the charge as the provider reports them.
 * @throws RefundsChanged
 */
export async function recordRefunds({ processorId, intentId }: RefundToSend, read: RefundsRead): Promise<void> {
  const outcome = await refundCapture(processorId, intentId, read);
  if (outcome.state === 'unknown') throw new RowMissing('The charge of this refund is not on record.');
}

/** Returns the status of a refund. */
export const readRefundStatus = async (refundId: string): Promise<Refund['status'] | null> =>
  (await findRow(Refund, refundId))?.status ?? null;

/** Reports for each refund whether its money has been returned; unknown ids are left out. */
export async function readRefundMovements(refundIds: readonly string[]): Promise<ReadonlyMap<string, ChargeState>> {
  const refunds = await rows<{ id: string; moved: ChargeState }>(
    `SELECT id, CASE status WHEN 'succeeded' THEN 'yes' WHEN 'processing' THEN 'unknown' ELSE 'no' END AS moved
       FROM refunds WHERE organization_id = $1 AND id = ANY ($2)`,
    [currentOrganization(), refundIds],
  );
  return new Map(refunds.map(({ id, moved }) => [id, moved]));
}
