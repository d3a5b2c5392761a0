import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../../config.js';
import { type TaskQueue, TASK_QUEUES } from '../../../workflows/contracts/index.js';
import { queueName } from '../client.js';
import { callTemporal } from './callTemporal.js';
import { dateOf } from './times.js';

const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = protobuf.api.enums.v1.TaskQueueType;

/**
 * A worker that polled within this time is running, because it polls again within a minute, whether it gets work or
 * not.
 */
const POLL_TIMEOUT_MS = 75_000;

/** Time after which Temporal counts as not reachable. */
const PING_DEADLINE_MS = 2_000;

/**
 * Asks Temporal for our namespace.
 * @throws TemporalUnavailable
 */
export async function pingTemporal(): Promise<void> {
  const namespace = config.TEMPORAL_NAMESPACE;
  await callTemporal(({ workflowService }) => workflowService.describeNamespace({ namespace }), PING_DEADLINE_MS);
}

/**
 * Returns those task queues of this deployment that no worker serves, for steps or for decisions.
 * @throws TemporalUnavailable
 */
export async function listUnservedQueues(): Promise<TaskQueue[]> {
  const isQueueServed = async (queue: TaskQueue) =>
    (await isServed(queueName(queue), 'steps')) && isServed(queueName(queue), 'decisions');
  const served = await Promise.all(TASK_QUEUES.map(isQueueServed));
  return TASK_QUEUES.filter((_, n) => !served[n]);
}

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
