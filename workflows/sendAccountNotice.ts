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
  // Wait for a mail that is being sent, so that it is reported as sent and not as cancelled.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Mails one account notice, retrying while the mail server is down. A notice expires after a while. */
export async function sendAccountNotice(input: SendAccountNoticeInput): Promise<AccountNoticeOutcome> {
  stage('mailing');
  try {
    const outcome = await mailAccountNotice(input);
    stage(outcome);
    return outcome;
  } catch (error) {
    // After a cancellation, the attempt may still fail with another error. So check whether the scope was cancelled,
    // not which error was thrown.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => cancelAccountNotice(input));
    stage('cancelled');
    throw new CancelledFailure('The notice was cancelled.');
  }
}
