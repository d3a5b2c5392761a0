import {
  ActivityFailure,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type * as mailSteps from '../activities/foundation/pledgeNotices.js';
import type * as steps from '../activities/foundation/pledges.js';
import { pledgeCharge } from './contracts/pledgeCharge.js';
import { PLEDGE_CHANGED, recurringPledge as entry, type RecurringPledgeInput } from './contracts/recurringPledge.js';
import { localActivityFirst } from './localActivityFirst.js';
import { stagesOf } from './stage.js';
import { startChildProcess } from './startChildProcess.js';

const stage = stagesOf(entry);

const step = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const followPledge = localActivityFirst('followPledge', step);
// These steps must not delay a charge: after some failures they are repeated later.
const { forgetPledgeCards, mailPledgeNotices } = proxyActivities<typeof steps & typeof mailSteps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 3 },
});

const changed = defineSignal(PLEDGE_CHANGED);

/** A run reads the row at most this often, so that its history stays short. */
const READS_PER_RUN = 50;

/**
 * Follows a pledge until it is cancelled: sleeps until a period is due, and has it charged. The row decides; the timer
 * and the signal only wake the process. Each period ends the run, so that histories stay short.
 */
export async function recurringPledge(input: RecurringPledgeInput): Promise<'cancelled'> {
  let isChanged = false;
  setHandler(changed, () => {
    isChanged = true;
  });
  let charged: number | null = null;
  for (let reads = 0; isChanged || reads < READS_PER_RUN; reads += 1) {
    isChanged = false;
    const pledge = await followPledge(input);
    stage(pledge.stage);
    if (pledge.period !== null && pledge.period !== charged)
      await startChildProcess(pledgeCharge, { ...input, period: String(pledge.period) });
    const isPeriodOver = charged !== null && pledge.period === null;
    charged = pledge.period;
    const forgetAgain = pledge.hasCardsToForget ? await orLater(forgetPledgeCards(input).then(() => null)) : null;
    const mailAgain = pledge.hasNotices ? await orLater(mailPledgeNotices(input)) : null;
    const again = forgetAgain ?? mailAgain;
    const isOver = pledge.stage === 'cancelled' && pledge.period === null && again === null;
    if (isOver && !isChanged) return 'cancelled';
    if (isPeriodOver && !isChanged) break;
    await condition(() => isChanged, Math.min(pledge.seconds, again ?? pledge.seconds) * 1_000);
  }
  return continueAsNew(input);
}

/** A step that failed repeatedly is tried again after this time. */
const AGAIN_SECONDS = 900;

/** @returns the seconds until the next try of a step; null if it is done */
async function orLater(step: Promise<number | null>): Promise<number | null> {
  try {
    return await step;
  } catch (error) {
    if (error instanceof ActivityFailure) return AGAIN_SECONDS;
    throw error;
  }
}
