/** The step that gives an unmatched payment back. It reads the rows again and may be run any number of times. */
import { ApplicationFailure } from '@temporalio/activity';
import { isRefusal, type PaymentPort, type RefundState } from '../../gateways/payments/port.js';
import { paymentPort } from '../../gateways/payments/processors.js';
import { inTenant } from '../../models/database/tenancy.js';
import {
  type GivingBack,
  loadGivingBack,
  noteGivenBack,
  noteNotGivenBack,
} from '../../models/finances/captures/givingBack.js';
import type { GiveBackPaymentInput, GiveBackPaymentOutcome } from '../../workflows/contracts/giveBackPayment.js';
import { heartbeating } from '../heartbeating.js';

/** How often a key is sent before another takes its place: an error that is stored under it would come back for ever. */
const TRIES_PER_KEY = 3;

/** Asks for the refund, looking first for one that an earlier try may have made. @returns `pending` while a bank takes its time */
export const giveBack = (input: GiveBackPaymentInput): Promise<GiveBackPaymentOutcome | 'pending'> =>
  heartbeating(async (previousTries) => {
    const refund = await load(input);
    if (refund.status !== 'pending') return refund.status === 'done' ? 'refunded' : 'refused';
    const port = paymentPort(refund.access);
    const state = (await find(port, refund)) ?? (await ask(port, refund, previousTries));
    if (state.status === 'pending') return 'pending';
    const { gatewayRefundId } = state;
    if (state.status === 'refunded' && gatewayRefundId) {
      await inTenant(input.organizationId, () => noteGivenBack(refund, gatewayRefundId));
      return 'refunded';
    }
    await inTenant(input.organizationId, () => noteNotGivenBack(refund, state.failureCode ?? 'refund_failed'));
    return 'refused';
  });

async function load({ organizationId, resolutionId }: GiveBackPaymentInput): Promise<GivingBack> {
  const refund = await inTenant(organizationId, () => loadGivingBack(resolutionId), { readOnly: true });
  // A row that is gone does not come back: the process fails.
  if (!refund) throw ApplicationFailure.nonRetryable('There is no such refund.', 'NotFound');
  return refund;
}

/** @returns null too where the account has no such charge: nothing was given back of it */
async function find(port: PaymentPort, { id, intentId }: GivingBack): Promise<RefundState | null> {
  try {
    return await port.findRefund({ intentId, refundId: id });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return null;
  }
}

type Answer = Omit<RefundState, 'gatewayRefundId'> & { gatewayRefundId: string | null };

/** All that is left of the charge: under whatever key, it cannot go back twice. */
async function ask(port: PaymentPort, refund: GivingBack, previousTries: number): Promise<Answer> {
  const { id, intentId, amountCents } = refund;
  const idempotencyKey = `refund:${id}:${Math.floor(previousTries / TRIES_PER_KEY)}`;
  try {
    return await port.refundCharge({ intentId, amountCents, refundId: id, idempotencyKey });
  } catch (error) {
    if (!isRefusal(error)) throw error;
    // Refused, perhaps because an earlier try that nobody heard of went through just now.
    return (await find(port, refund)) ?? { status: 'failed', gatewayRefundId: null, failureCode: error.failureCode };
  }
}
