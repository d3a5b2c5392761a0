import { CancellationScope, condition, defineSignal, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import type * as steps from '../activities/organizations/publishSocialPost.js';
import {
  publishSocialPost as entry,
  type PublishSocialPostInput,
  type PublishSocialPostOutcome,
} from './contracts/publishSocialPost.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { untilPostIsDue, sendPost, lookForPost } = proxyActivities<typeof steps>({
  startToCloseTimeout: '2 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const changed = defineSignal('changed');

/** Delays before each search: the network may show an accepted post only after a while. */
const SEARCH_DELAYS = ['10 seconds', '1 minute', '5 minutes', '30 minutes'] as const;

/**
 * Waits until a post is due, and publishes it once. The row says when the post is due, and whether it is to be
 * published at all.
 */
export async function publishSocialPost(input: PublishSocialPostInput): Promise<PublishSocialPostOutcome> {
  let isSignalled = false;
  setHandler(changed, () => {
    isSignalled = true;
  });
  for (;;) {
    isSignalled = false;
    stage('waiting');
    const seconds = await untilPostIsDue(input);
    if (seconds !== null && seconds > 0) {
      await condition(() => isSignalled, `${seconds} seconds`);
      continue;
    }
    const outcome = seconds === null ? 'called_off' : await CancellationScope.nonCancellable(() => send(input));
    if (outcome === 'later' || isSignalled) continue;
    stage(outcome);
    return outcome;
  }
}

/** Sends the post, and searches for it if the response is lost. */
async function send(input: PublishSocialPostInput): Promise<PublishSocialPostOutcome | 'later'> {
  stage('publishing');
  const outcome = await sendPost(input);
  if (outcome !== 'unknown') return outcome;
  stage('looking');
  for (const [n, pause] of SEARCH_DELAYS.entries()) {
    await sleep(pause);
    const result = await lookForPost({ ...input, isLast: n === SEARCH_DELAYS.length - 1 });
    if (result) return result;
  }
  return 'unknown';
}
