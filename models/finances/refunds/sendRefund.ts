/** A refund on its charge, as its process sees it. */
import { changeRow, lockIfThere, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { openAccess, type ProcessorAccess } from '../attempts/processorAccess.js';
import { CAPTURE_VERSION_SQL } from '../captures/bringTo.js';
import { refundCapture, type RefundsRead } from '../captures/refundCapture.js';
import { Refund } from './Refund.js';
import { CALLED_OFF, failRefund } from './settleRefunds.js';

export interface RefundToSend {
  id: string;
  processorId: string;
  intentId: string;
  amountCents: number;
  status: Refund['status'];
  /** Whether the provider still knows the key under which it may have been asked before. */
  mayBeAsked: boolean;
  /** Of the capture, before the provider is asked. */
  version: string;
  access: ProcessorAccess;
}

interface Row extends Omit<RefundToSend, 'access'> {
  provider: string;
  secret: string;
}

/** Providers forget a key after a day; until shortly before that the same key asks for the same refund. */
const KEY_HOURS = 23;

/** @throws RowMissing when this tenant has no such refund by a provider */
export async function loadRefund(refundId: string): Promise<RefundToSend> {
  const row = await firstRow<Row>(
    `SELECT r.id, c.processor_id AS "processorId", c.intent_id AS "intentId", r.amount_cents AS "amountCents", r.status,
            coalesce(r.sent_at > now() - ${KEY_HOURS} * interval '1 hour', true) AS "mayBeAsked", ${CAPTURE_VERSION_SQL} AS version,
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

/** Committed before the provider is asked: from now on it may have gone back. @returns false where it was called off */
export async function noteSent(refundId: string): Promise<boolean> {
  await changeRow(Refund, { id: refundId, status: 'reserved' }, { status: 'processing', sent_at: now });
  return (await refundStatus(refundId)) === 'processing';
}

/** An administrator wants the money to stay, before the provider was asked: what was reserved is free again. @returns false from then on */
export async function callRefundOff(refundId: string): Promise<boolean> {
  const refund = await lockIfThere(Refund, refundId);
  if (refund?.status === 'reserved') await failRefund(refundId, CALLED_OFF);
  return refund?.status === 'reserved' || refund?.failure_code === CALLED_OFF;
}

/** Notes what the provider says of the charge's refunds, ours and others'. @throws RefundsChanged */
export async function noteRefunds({ processorId, intentId }: RefundToSend, read: RefundsRead): Promise<void> {
  const noted = await refundCapture(processorId, intentId, read);
  if (noted.state === 'unknown') throw new RowMissing('The charge of this refund is not on record.');
}

/** How the refund stands. */
export const refundStatus = async (refundId: string): Promise<Refund['status'] | null> =>
  (await findRow(Refund, refundId))?.status ?? null;

/** Whether its money has gone back. */
export async function refundMoved(refundId: string): Promise<'yes' | 'no' | 'unknown'> {
  const status = await refundStatus(refundId);
  if (status === 'succeeded') return 'yes';
  return status === 'processing' ? 'unknown' : 'no';
}
