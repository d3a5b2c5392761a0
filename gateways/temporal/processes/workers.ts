import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../../config.js';
import { callTemporal } from './callTemporal.js';
import { dateOf } from './times.js';

const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = protobuf.api.enums.v1.TaskQueueType;

/**
 * A worker that polled within this time is running, because it polls again within a minute, whether it gets work or
 * not.
 */
const POLL_TIMEOUT_MS = 75_000;

/**
 * Reports whether a worker has polled a task queue recently.
 * @throws TemporalUnavailable
 */
export async function isServed(taskQueue: string, work: 'steps' | 'decisions'): Promise<boolean> {
  const { pollers } = await callTemporal(({ workflowService }) =>
    workflowService.describeTaskQueue({
      namespace: config.TEMPORAL_NAMESPACE,
      taskQueue: { name: taskQueue },
      taskQueueType: work === 'steps' ? TASK_QUEUE_TYPE_ACTIVITY : TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  const since = Date.now() - POLL_TIMEOUT_MS;
  return (pollers ?? []).some(({ lastAccessTime }) => (dateOf(lastAccessTime)?.getTime() ?? 0) > since);
}
