import { ActivityCancellationType, CancellationScope, CancelledFailure, proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/identity/accountNotices.js';
import {
  type AccountNoticeOutcome,
  sendAccountNotice as entry,
  type SendAccountNoticeInput,
} from './contracts/sendAccountNotice.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { mailAccountNotice, cancelAccountNotice } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
  // A mail that is on its way is waited for: it is told as sent, not as cancelled.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Mails one notice about an account, however long the mail server is away. After a while it is news no more. */
export async function sendAccountNotice(input: SendAccountNoticeInput): Promise<AccountNoticeOutcome> {
  stage('mailing');
  try {
    const outcome = await mailAccountNotice(input);
    stage(outcome);
    return outcome;
  } catch (error) {
    // A try that failed after it was asked to stop says why it failed, not that it was stopped.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => cancelAccountNotice(input));
    stage('cancelled');
    throw new CancelledFailure('The notice was cancelled.');
  }
}
