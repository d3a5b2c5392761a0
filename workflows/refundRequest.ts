import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/finances/refundRequest.js';
import {
  LOOK_AGAIN,
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

const changed = defineSignal(LOOK_AGAIN);

/** Follows a request until it is decided or expires. The row says when to look again. */
export async function refundRequest(input: RefundRequestInput): Promise<RefundRequestOutcome> {
  let asked = false;
  setHandler(changed, () => {
    asked = true;
  });
  for (;;) {
    asked = false;
    const step = await followRefundRequest(input);
    if ('over' in step) {
      stage(step.over);
      return step.over;
    }
    stage(step.reminded ? 'reminded' : 'waiting');
    await condition(() => asked, `${step.seconds} seconds`);
  }
}
