/** A changed workflow with the change behind `patched()`: running processes continue as they began, new ones use the new code. */
import { condition, patched, proxyActivities, setHandler, sleep } from '@temporalio/workflow';
import { approve } from './before.js';

const { note } = proxyActivities<{ note(step: string): Promise<void> }>({ startToCloseTimeout: '5 seconds' });

export async function filing(): Promise<string> {
  let approved = false;
  setHandler(approve, () => {
    approved = true;
  });
  const changed = patched('pause-first');
  if (changed) await sleep(1);
  await note('received');
  await condition(() => approved);
  await note('filed');
  return changed ? 'after' : 'before';
}
