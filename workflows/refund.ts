import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/refund.js';
import { refund as entry, type RefundInput, type RefundOutcome } from './contracts/refund.js';
import { REFUND_STEP, refundUntilOver } from './refundUntilOver.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);
const { sendRefund } = proxyActivities<typeof steps>(REFUND_STEP);

/** Refunds money once, and ends with the provider's outcome. */
export async function refund(input: RefundInput): Promise<RefundOutcome> {
  stage('sending');
  return refundUntilOver(input, sendRefund, stage);
}
