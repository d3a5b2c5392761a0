import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/refundUnmatchedPayment.js';
import {
  giveBackPayment as entry,
  type RefundUnmatchedPaymentInput,
  type RefundUnmatchedPaymentOutcome,
} from './contracts/refundUnmatchedPayment.js';
import { REFUND_STEP, refundUntilOver } from './refundUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);
const { giveBack } = proxyActivities<typeof steps>(REFUND_STEP);

/** Refunds an unmatched payment, once, and ends with the provider's outcome. */
export async function giveBackPayment(input: RefundUnmatchedPaymentInput): Promise<RefundUnmatchedPaymentOutcome> {
  stage('refunding');
  return refundUntilOver(input, giveBack, stage);
}
