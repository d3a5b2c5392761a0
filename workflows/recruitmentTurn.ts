import { CancellationScope, continueAsNew, isCancellation, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/intake/recruitmentPeriods.js';
import {
  recruitmentTurn as entry,
  type RecruitmentTurnInput,
  type RecruitmentTurnOutcome,
} from './contracts/recruitmentTurn.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

/** Bounds a run's history, however many applicants there are. */
const PAGES_PER_RUN = 200;

const { settleApplicants, stopSettling } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Rows record which applicants are left, so no cursor is needed. */
export async function recruitmentTurn(input: RecruitmentTurnInput): Promise<RecruitmentTurnOutcome> {
  try {
    stage('following');
    for (let pages = 0; pages < PAGES_PER_RUN; pages += 1) {
      const more = await settleApplicants(input);
      if (more === true) continue;
      const end = more === false ? 'settled' : more;
      stage(end);
      return end;
    }
  } catch (error) {
    if (isCancellation(error)) await CancellationScope.nonCancellable(() => stopSettling(input));
    throw error;
  }
  return continueAsNew<typeof recruitmentTurn>(input);
}
