import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/finances/refundRequest.js';
import {
  REQUEST_CHANGED,
  refundRequest as entry,
  type RefundRequestInput,
  type RefundRequestOutcome,
} from './contracts/refundRequest.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { followRefundRequest } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const changed = defineSignal(REQUEST_CHANGED);

/** Follows a refund request until it is decided or expires. The row says when to read it again. */
export async function refundRequest(input: RefundRequestInput): Promise<RefundRequestOutcome> {
  let isSignalled = false;
  setHandler(changed, () => {
    isSignalled = true;
  });
  for (;;) {
    isSignalled = false;
    const step = await followRefundRequest(input);
    if ('over' in step) {
      stage(step.over);
      return step.over;
    }
    stage(step.reminded ? 'reminded' : 'waiting');
    await condition(() => isSignalled, `${step.seconds} seconds`);
  }
}
