import { continueAsNew, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type * as steps from '../activities/forums/forumWithdrawal.js';
import {
  forumWithdrawal as entry,
  type ForumWithdrawalInput,
  type ForumWithdrawalOutcome,
} from './contracts/forumWithdrawal.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { withdrawForumPage } = proxyActivities<typeof steps>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

/** Withdraws the notifications of hidden texts of a thread, one page at a time. */
export async function forumWithdrawal(input: ForumWithdrawalInput): Promise<ForumWithdrawalOutcome> {
  stage('withdrawing');
  while (await withdrawForumPage(input)) {
    if (workflowInfo().continueAsNewSuggested) await continueAsNew<typeof forumWithdrawal>(input);
  }
  stage('withdrawn');
  return 'withdrawn';
}
