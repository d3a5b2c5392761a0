import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type * as steps from '../activities/intake/referenceLetters.js';
import {
  referenceLetter as entry,
  type ReferenceLetterInput,
  type ReferenceLetterOutcome,
} from './contracts/referenceLetter.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const { followReferenceLetter } = proxyActivities<typeof steps>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' },
});

const changed = defineSignal('changed');

/** Follows a reference letter until it has arrived or is no longer needed. The row says when to read it again. */
export async function referenceLetter(input: ReferenceLetterInput): Promise<ReferenceLetterOutcome> {
  let isSignalled = false;
  setHandler(changed, () => {
    isSignalled = true;
  });
  stage('waiting');
  for (;;) {
    isSignalled = false;
    const step = await followReferenceLetter(input);
    if ('over' in step) {
      stage(step.over);
      return step.over;
    }
    await condition(() => isSignalled, `${step.seconds} seconds`);
  }
}
