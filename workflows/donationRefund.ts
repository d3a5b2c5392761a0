import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/refundUnmatchedPayment.js';
import { donationRefund as entry } from './contracts/donationRefund.js';
import type { RefundUnmatchedPaymentInput, RefundUnmatchedPaymentOutcome } from './contracts/refundUnmatchedPayment.js';
import { REFUND_STEP, refundUntilOver } from './refundUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);
const { giveBack } = proxyActivities<typeof steps>(REFUND_STEP);

/** Refunds the payment of a gift, once, and ends with the provider's outcome. */
export async function donationRefund(input: RefundUnmatchedPaymentInput): Promise<RefundUnmatchedPaymentOutcome> {
  stage('refunding');
  return refundUntilOver(input, giveBack, stage);
}
