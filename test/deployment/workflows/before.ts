/** The first release: it waits for an approval, and then files. */
import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';

const { note } = proxyActivities<{ note(step: string): Promise<void> }>({ startToCloseTimeout: '5 seconds' });
export const approve = defineSignal('approve');

export async function filing(): Promise<string> {
  let approved = false;
  setHandler(approve, () => {
    approved = true;
  });
  await note('received');
  await condition(() => approved);
  await note('filed');
  return 'before';
}
