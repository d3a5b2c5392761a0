import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/finances/planFreeze.js';
import {
  PLAN_CHANGED,
  planFreeze as entry,
  type PlanFreezeInput,
  type PlanFreezeOutcome,
} from './contracts/planFreeze.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { followPlanFreeze } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const changed = defineSignal(PLAN_CHANGED);

/**
 * Follows the freeze window of a request until the window ends or the request is decided. The row says when to read it
 * again.
 */
export async function planFreeze(input: PlanFreezeInput): Promise<PlanFreezeOutcome> {
  let isSignalled = false;
  setHandler(changed, () => {
    isSignalled = true;
  });
  for (;;) {
    isSignalled = false;
    const step = await followPlanFreeze(input);
    if ('over' in step) {
      stage(step.over);
      return step.over;
    }
    stage(step.endsSoon ? 'ending_soon' : 'running');
    await condition(() => isSignalled, `${step.seconds} seconds`);
  }
}
