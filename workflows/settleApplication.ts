import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/intake/settleApplication.js';
import { localActivityFirst } from './localActivityFirst.js';
import { settleApplication as entry, type SettleApplicationInput } from './contracts/settleApplication.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const settleVersion = localActivityFirst(
  'settleVersion',
  proxyActivities<typeof steps>({
    startToCloseTimeout: '1 minute',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  }),
);

/** Makes a version of an application count, or withdraws or erases it, as the version's row requires. */
export async function settleApplication(input: SettleApplicationInput): Promise<'settled' | 'waiting'> {
  stage('settling');
  const end = await settleVersion(input);
  stage(end);
  return end;
}
