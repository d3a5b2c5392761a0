/** Refunds an unmatched payment. The step reads the rows again and may run any number of times. */
import { isRefusal, OutcomeUnknown, type PaymentPort, type RefundState } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type GivingBack,
  loadGivingBack,
  noteGivenBack,
  noteNotGivenBack,
} from '../../models/finances/captures/givingBack.js';
import type { RefundsRead } from '../../models/finances/captures/refundCapture.js';
import type { GiveBackPaymentInput, GiveBackPaymentOutcome } from '../../workflows/contracts/giveBackPayment.js';
import { triesBefore } from '../tries.js';
import { refundsRead, unlessUnknown } from './refundsRead.js';

/** Tries per idempotency key: a provider stores an error under its key, and would return it for ever. */
const TRIES_PER_KEY = 3;

/**
 * Requests the refund; first looks for one that an earlier try made. @returns `pending` while the bank processes it
 */
export const giveBack = async (input: GiveBackPaymentInput): Promise<GiveBackPaymentOutcome | 'pending'> => {
  const previousTries = triesBefore();
  const { organizationId, resolutionId } = input;
  const refund = await inTenant(organizationId, () => loadGivingBack(resolutionId), { readOnly: true });
  if (refund.status !== 'pending') return refund.status === 'done' ? 'refunded' : 'refused';
  const port = paymentPort(refund.access);
  const made = await port.readRefunds(refund.intentId).catch(unlessUnknown);
  const state = made?.find(({ refundId }) => refundId === refund.id) ?? (await ask(port, input, refund, previousTries));
  if (state.status === 'pending') return 'pending';
  // Reads the refunds again: one that was made elsewhere counts too, in whichever order the events arrive.
  const read = refundsRead(await port.readRefunds(refund.intentId).catch(unlessUnknown), refund.version);
  return inTenant(input.organizationId, () => note(refund, state, read));
};

async function note(refund: GivingBack, state: Answer, read: RefundsRead | null): Promise<GiveBackPaymentOutcome> {
  const { status, gatewayRefundId, failureCode } = state;
  if (status === 'refunded' && gatewayRefundId) {
    if (!read) throw new OutcomeUnknown('The provider does not say what went back of the charge.');
    await noteGivenBack(refund, gatewayRefundId, read);
    return 'refunded';
  }
  await noteNotGivenBack(refund, { gatewayRefundId, failureCode: failureCode ?? 'refund_failed' }, read);
  return 'refused';
}

type Answer = Omit<RefundState, 'gatewayRefundId'> & { gatewayRefundId: string | null };

/** A refund of the whole rest cannot happen twice, even under another key; a partial refund keeps its key. */
async function ask(
  port: PaymentPort,
  { organizationId }: GiveBackPaymentInput,
  { id, intentId, amountCents, isAll, processorId }: GivingBack,
  previousTries: number,
): Promise<Answer> {
  const reference = { organization_id: organizationId, processor_id: processorId };
  const idempotencyKey = `refund:${id}:${isAll ? Math.floor(previousTries / TRIES_PER_KEY) : 0}`;
  try {
    return await port.refundCharge({ intentId, amountCents, refundId: id, reference, idempotencyKey });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // The refusal may mean that an earlier try, whose answer was lost, has just succeeded.
    const made = await port.readRefunds(intentId).catch(unlessUnknown);
    const own = made?.find(({ refundId }) => refundId === id);
    return own ?? { status: 'failed', gatewayRefundId: null, failureCode: error.failureCode };
  }
}
