import { CancellationScope, continueAsNew, isCancellation, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/intake/recruitmentPeriods.js';
import {
  recruitmentTurn as entry,
  type RecruitmentTurnInput,
  type RecruitmentTurnOutcome,
} from './contracts/recruitmentTurn.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/**
 * Number of batches until the workflow continues as new, so that the history of a run stays short however many
 * applicants there are.
 */
const BATCHES_PER_RUN = 200;

const { settleApplicants, stopSettling } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/**
 * Settles the applicants of a recruitment period that was closed or reopened. The rows record which applicants remain,
 * so no cursor is needed.
 */
export async function recruitmentTurn(input: RecruitmentTurnInput): Promise<RecruitmentTurnOutcome> {
  try {
    stage('following');
    for (let batches = 0; batches < BATCHES_PER_RUN; batches += 1) {
      const result = await settleApplicants(input);
      if (result === true) continue;
      const end = result === false ? 'settled' : result;
      stage(end);
      return end;
    }
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => stopSettling(input));
    throw error;
  }
  return continueAsNew<typeof recruitmentTurn>(input);
}
