/** Refunds an unmatched payment. The step reads the rows again and may run any number of times. */
import { isRefusal, OutcomeUnknown, type PaymentPort, type RefundState } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type CaptureRefund,
  loadCaptureRefund,
  recordRefundSucceeded,
  recordRefundFailed,
} from '../../models/finances/captures/captureRefund.js';
import type { RefundsRead } from '../../models/finances/captures/refundCapture.js';
import type {
  RefundUnmatchedPaymentInput,
  RefundUnmatchedPaymentOutcome,
} from '../../workflows/contracts/refundUnmatchedPayment.js';
import { previousAttempts } from '../attempts.js';
import { summarizeRefunds, nullIfRefused } from './summarizeRefunds.js';

/**
 * Number of attempts with the same idempotency key. After them a new key is used, because a provider stores an error
 * under its key and would return it again and again.
 */
const ATTEMPTS_PER_KEY = 3;

/**
 * Requests the refund, unless an earlier attempt has made one.
 * @returns `pending` while the bank processes the refund
 */
export const giveBack = async (
  input: RefundUnmatchedPaymentInput,
): Promise<RefundUnmatchedPaymentOutcome | 'pending'> => {
  const earlierAttempts = previousAttempts();
  const { organizationId, resolutionId } = input;
  const refund = await inTenant(organizationId, () => loadCaptureRefund(resolutionId), { readOnly: true });
  if (refund.status !== 'pending') return refund.status === 'done' ? 'refunded' : 'refused';
  const port = paymentPort(refund.access);
  const existing = await port.readRefunds(refund.intentId).catch(nullIfRefused);
  const state =
    existing?.find(({ refundId }) => refundId === refund.id) ??
    (await requestRefund(port, input, refund, earlierAttempts));
  if (state.status === 'pending') return 'pending';
  // Read the refunds again: refunds made elsewhere count too, in whichever order the events arrive.
  const read = summarizeRefunds(await port.readRefunds(refund.intentId).catch(nullIfRefused), refund.version);
  return inTenant(input.organizationId, () => recordOutcome(refund, state, read));
};

async function recordOutcome(
  refund: CaptureRefund,
  state: RefundAnswer,
  read: RefundsRead | null,
): Promise<RefundUnmatchedPaymentOutcome> {
  const { status, gatewayRefundId, failureCode } = state;
  if (status === 'refunded' && gatewayRefundId) {
    if (!read) throw new OutcomeUnknown('The provider does not report the refunds of the charge.');
    await recordRefundSucceeded(refund, gatewayRefundId, read);
    return 'refunded';
  }
  await recordRefundFailed(refund, { gatewayRefundId, failureCode: failureCode ?? 'refund_failed' }, read);
  return 'refused';
}

type RefundAnswer = Omit<RefundState, 'gatewayRefundId'> & { gatewayRefundId: string | null };

/**
 * Requests the refund. A refund of the whole remainder cannot happen twice, even under a new idempotency key; a partial
 * refund keeps its key.
 */
async function requestRefund(
  port: PaymentPort,
  { organizationId }: RefundUnmatchedPaymentInput,
  { id, intentId, amountCents, isAll, processorId }: CaptureRefund,
  previousTries: number,
): Promise<RefundAnswer> {
  const reference = { organization_id: organizationId, processor_id: processorId };
  const idempotencyKey = `refund:${id}:${isAll ? Math.floor(previousTries / ATTEMPTS_PER_KEY) : 0}`;
  try {
    return await port.refundCharge({ intentId, amountCents, refundId: id, reference, idempotencyKey });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The refusal may mean that an earlier attempt, whose response was lost, has just succeeded.
    const refunds = await port.readRefunds(intentId).catch(nullIfRefused);
    const own = refunds?.find(({ refundId }) => refundId === id);
    return own ?? { status: 'failed', gatewayRefundId: null, failureCode: error.failureCode };
  }
}
