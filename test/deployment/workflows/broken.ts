/** The next release, changed without regard for running processes: another step comes first. */
import { condition, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import { approve } from './before.js';

const { note } = proxyActivities<{ note(step: string): Promise<void> }>({ startToCloseTimeout: '5 seconds' });

export async function filing(): Promise<string> {
  let approved = false;
  setHandler(approve, () => {
    approved = true;
  });
  await sleep(1);
  await note('received');
  await condition(() => approved);
  await note('filed');
  return 'broken';
}
