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
import { hostedPage as entry, type HostedPageInput, type HostedPageOutcome, LOOK } from './contracts/hostedPage.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

// No limit of attempts: only the provider's answer ends a page.
const { openPage, lookAtPage } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumInterval: '1 minute' },
});

const look = defineSignal(LOOK);

/** Bounds a run's history, however often the payer returns. */
const LOOKS_PER_RUN = 100;

/**
 * Opens a page and asks the provider about it until it is paid or can no longer be. The rows say whether it is to be
 * closed.
 */
export async function hostedPage(input: HostedPageInput): Promise<HostedPageOutcome> {
  let asked = false;
  let cancelled = false;
  setHandler(look, () => {
    asked = true;
  });
  // Cancelling closes the page; what was paid before is recorded all the same.
  CancellationScope.current().cancelRequested.catch(() => {
    asked = true;
    cancelled = true;
  });

  const outcome = await CancellationScope.nonCancellable(async () => {
    stage('opening');
    await openPage(input);
    stage('open');
    for (let looks = 0; ; looks += 1) {
      asked = false;
      const { ended, lookAgainInSeconds } = await lookAtPage(input);
      if (ended) return ended;
      if (looks >= LOOKS_PER_RUN && !asked && !cancelled) return null;
      await condition(() => asked, lookAgainInSeconds * 1000);
    }
  });
  if (outcome === null) return continueAsNew<typeof hostedPage>(input);
  stage(outcome);
  if (cancelled && outcome === 'closed') throw new CancelledFailure('The page was closed.');
  return outcome;
}
