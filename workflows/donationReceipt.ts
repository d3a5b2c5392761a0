import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  defineSignal,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import type * as steps from '../activities/foundation/mailReceipt.js';
import {
  type DonationReceiptInput,
  type DonationReceiptOutcome,
  donationReceipt as entry,
} from './contracts/donationReceipt.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { mailDonationReceipt, cancelDonationReceipt } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '15 minutes' },
  // Wait for a mail that is being sent, so that it is reported as mailed and not as cancelled.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

const changed = defineSignal('changed');

/**
 * Mails a receipt, retrying while the mail server is down. If the signal to mail it again arrives before the process
 * has ended, the process mails it again.
 */
export async function donationReceipt(input: DonationReceiptInput): Promise<DonationReceiptOutcome> {
  let isRequestedAgain = false;
  setHandler(changed, () => {
    isRequestedAgain = true;
  });
  stage('mailing');
  try {
    for (;;) {
      isRequestedAgain = false;
      const step = await mailDonationReceipt(input);
      if ('seconds' in step) await sleep(step.seconds * 1_000);
      else if (!isRequestedAgain) {
        stage(step.over);
        return step.over;
      }
    }
  } catch (error) {
    // After a cancellation, the attempt may still fail with another error. So check whether the scope was cancelled,
    // not which error was thrown.
    if (!CancellationScope.current().consideredCancelled) throw error;
    await CancellationScope.nonCancellable(() => cancelDonationReceipt(input));
    stage('cancelled');
    throw new CancelledFailure('The mail was cancelled.');
  }
}
