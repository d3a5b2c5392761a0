import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../../config.js';
import { ask } from './ask.js';
import { dateOf } from './times.js';

const { TASK_QUEUE_TYPE_ACTIVITY, TASK_QUEUE_TYPE_WORKFLOW } = protobuf.api.enums.v1.TaskQueueType;

/** A worker asks for work again within a minute, whatever it is given. */
const SILENT_MS = 75_000;

/** Whether a worker has asked for this queue's work within the last minute. @throws TemporalUnavailable */
export async function isServed(taskQueue: string, work: 'steps' | 'decisions'): Promise<boolean> {
  const { pollers } = await ask(({ workflowService }) =>
    workflowService.describeTaskQueue({
      namespace: config.TEMPORAL_NAMESPACE,
      taskQueue: { name: taskQueue },
      taskQueueType: work === 'steps' ? TASK_QUEUE_TYPE_ACTIVITY : TASK_QUEUE_TYPE_WORKFLOW,
    }),
  );
  const since = Date.now() - SILENT_MS;
  return (pollers ?? []).some(({ lastAccessTime }) => (dateOf(lastAccessTime)?.getTime() ?? 0) > since);
}
