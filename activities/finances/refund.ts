/** Refunds money on its charge. The step reads the rows again and may run any number of times. */
import { isRefusal, OutcomeUnknown, type PaymentPort } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  loadRefund,
  recordRefunds,
  markRefundSent,
  readRefundStatus,
  type RefundToSend,
} from '../../models/finances/refunds/sendRefund.js';
import { CANCELLED, failRefund } from '../../models/finances/refunds/settleRefunds.js';
import type { RefundInput, RefundOutcome } from '../../workflows/contracts/refund.js';
import { RefundsChanged } from '../../models/finances/captures/refundCapture.js';
import { summarizeRefunds, nullIfRefused } from './summarizeRefunds.js';

/**
 * Requests the refund, unless an earlier attempt has made one.
 * @returns `pending` while the bank processes the refund
 */
export const sendRefund = async ({ organizationId, refundId }: RefundInput): Promise<RefundOutcome | 'pending'> => {
  const refund = await inTenant(organizationId, () => loadRefund(refundId), { readOnly: true });
  if (hasEnded(refund.status)) return refund.status;
  const port = paymentPort(refund.access);
  const isOurs = (candidate: { refundId: string | null }) => candidate.refundId === refundId;
  const existing = await port.readRefunds(refund.intentId).catch(nullIfRefused);
  const refused = existing?.some(isOurs) ? null : await requestRefund(port, organizationId, refund);
  await readAndRecord();
  const status = await inTenant(organizationId, () => readRefundStatus(refundId), { readOnly: true });
  return status && hasEnded(status) ? status : 'pending';

  /**
   * Reads and records the charge's refunds. Refunds that were made elsewhere are recorded, too, whichever process sees
   * them first.
   */
  async function readAndRecord(retries = MAX_IMMEDIATE_RETRIES): Promise<void> {
    const { version } = await inTenant(organizationId, () => loadRefund(refundId), { readOnly: true });
    const read = summarizeRefunds(await port.readRefunds(refund.intentId).catch(nullIfRefused), version);
    // The refusal may mean that an earlier attempt, whose response was lost, has just succeeded.
    if (!read?.marked.some(isOurs)) {
      if (refused === null) throw new OutcomeUnknown('The provider does not know the requested refund.');
      return inTenant(organizationId, () => failRefund(refundId, refused));
    }
    try {
      await inTenant(organizationId, () => recordRefunds(refund, read));
    } catch (error) {
      // Another refund of the same charge was recorded in the meantime, so the refunds are read again.
      if (!(error instanceof RefundsChanged) || retries === 0) throw error;
      await readAndRecord(retries - 1);
    }
  }
};

/** Immediate retries; after them the step fails and Temporal retries it. */
const MAX_IMMEDIATE_RETRIES = 5;

const hasEnded = (status: string): status is RefundOutcome => status === 'succeeded' || status === 'failed';

/** Requests the refund. The idempotency key is always the same, so that repeated requests refund once. */
async function requestRefund(
  port: PaymentPort,
  organizationId: string,
  { id, intentId, amountCents, processorId, mayBeAsked }: RefundToSend,
): Promise<string | null> {
  // The idempotency key may have expired, and the provider does not know the refund. So the refund was never made, and
  // must not be requested again.
  if (!mayBeAsked) return 'never_made';
  if (!(await inTenant(organizationId, () => markRefundSent(id)))) return CANCELLED;
  const reference = { organization_id: organizationId, processor_id: processorId };
  try {
    await port.refundCharge({ intentId, amountCents, refundId: id, reference, idempotencyKey: `refund:${id}` });
    return null;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return error.failureCode;
  }
}
