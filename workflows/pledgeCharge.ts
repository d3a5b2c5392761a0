import { condition, continueAsNew, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/foundation/pledges.js';
import {
  PERIOD_CHANGED,
  pledgeCharge as entry,
  type PledgeChargeInput,
  type PledgeChargeOutcome,
} from './contracts/pledgeCharge.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// The attempts are unlimited: an unknown outcome is retried until it is known.
const { chargePeriod, abandonPledgeCharge } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const changed = defineSignal(PERIOD_CHANGED);

/** A run reads the rows at most this often, so that its history stays short. */
const READS_PER_RUN = 50;

/** Charges one period of a pledge until it is paid, or not charged any more. The rows decide what happens next. */
export async function pledgeCharge(input: PledgeChargeInput): Promise<PledgeChargeOutcome> {
  let isChanged = false;
  setHandler(changed, () => {
    isChanged = true;
  });
  for (let reads = 0; isChanged || reads < READS_PER_RUN; reads += 1) {
    isChanged = false;
    stage('charging');
    const next = await chargePeriod(input);
    if ('over' in next) {
      stage(next.over);
      return next.over;
    }
    if ('abandon' in next) {
      stage('abandoning');
      await abandonPledgeCharge({ ...input, attemptId: next.abandon });
    } else if ('seconds' in next) {
      stage(next.stage);
      await condition(() => isChanged, next.seconds * 1_000);
    }
  }
  return continueAsNew(input);
}
