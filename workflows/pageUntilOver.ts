/** Opens a hosted page and reads its state until it is over, for the processes of invoices and of gifts. */
import {
  CancellationScope,
  CancelledFailure,
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import type * as steps from '../activities/finances/hostedPage.js';
import { type HostedPageInput, type HostedPageOutcome, LOOK_SIGNAL } from './contracts/hostedPage.js';

// The number of attempts is unlimited, because only the provider's response can end a page.
const { openPage, lookAtPage } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const look = defineSignal(LOOK_SIGNAL);

/**
 * Number of checks until the workflow continues as new, so that the history of a run stays short however often the
 * payer returns.
 */
const CHECKS_PER_RUN = 100;

/**
 * Opens a hosted page, and reads its state from the provider until it is paid or can no longer be paid. The database
 * rows tell whether the page must be closed.
 */
export async function pageUntilOver(
  input: HostedPageInput,
  stage: (name: 'opening' | 'open' | HostedPageOutcome) => void,
): Promise<HostedPageOutcome> {
  let isCheckRequested = false;
  let cancelled = false;
  setHandler(look, () => {
    isCheckRequested = true;
  });
  // Cancelling the process closes the page. A payment that was made before that is still recorded.
  CancellationScope.current().cancelRequested.catch(() => {
    isCheckRequested = true;
    cancelled = true;
  });

  const outcome = await CancellationScope.nonCancellable(async () => {
    stage('opening');
    await openPage(input);
    stage('open');
    for (let checks = 0; ; checks += 1) {
      isCheckRequested = false;
      const { ended, lookAgainInSeconds } = await lookAtPage(input);
      if (ended) return ended;
      if (checks >= CHECKS_PER_RUN && !isCheckRequested && !cancelled) return null;
      await condition(() => isCheckRequested, lookAgainInSeconds * 1000);
    }
  });
  if (outcome === null) return continueAsNew(input);
  stage(outcome);
  if (cancelled && outcome === 'closed') throw new CancelledFailure('The page was closed.');
  return outcome;
}
