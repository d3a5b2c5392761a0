import { proxyActivities } from '@temporalio/workflow';
import type * as steps from '../activities/finances/applyProcessorEvent.js';
import { localActivityFirst } from './localActivityFirst.js';
import { applyProcessorEvent as entry, type ApplyProcessorEventInput } from './contracts/applyProcessorEvent.js';
import { stagesOf } from './stage.js';

const stage = stagesOf(entry);

const step = proxyActivities<typeof steps>({
  startToCloseTimeout: '30 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
});
const applyStoredEvent = localActivityFirst('applyStoredEvent', step);

/**
 * Applies one verified processor event. The step is retried without limit, for example while the database is down or an
 * earlier event is missing.
 */
export async function applyProcessorEvent(input: ApplyProcessorEventInput): Promise<'applied'> {
  stage('applying');
  await applyStoredEvent(input);
  stage('applied');
  return 'applied';
}
