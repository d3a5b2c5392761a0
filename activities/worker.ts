/** The worker: one poller per task queue, over one connection and one pool of activities. */
import { DefaultLogger, type NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { config } from '../config.js';
import { queueName } from '../gateways/temporal/client.js';
import { dataConverter } from '../gateways/temporal/codec.js';
import { log } from '../models/log.js';
import { type TaskQueue, TASK_QUEUES } from '../workflows/contracts/index.js';
import { activities } from './index.js';
import { interceptWorkflows } from './interceptors.js';
import { buildVersioning } from './buildVersioning.js';
import { connectWorkers } from './workerConnection.js';
import { threadSharingWorker } from './sharedThread.js';

/** Concurrent activities per queue in this process. The limits are separate because mail must not delay payments. */
const CONCURRENCY: Record<TaskQueue, number> = { core: 20, payments: 40, notify: 10, bulk: 4 };

/**
 * Workflows that a worker of the queue keeps in memory between their steps, each in about 0.3 MB. Pledges on the core
 * queue sleep for weeks: one that was dropped is replayed from its short history. The other queues have the SDK's default.
 */
const CACHED_WORKFLOWS: Partial<Record<TaskQueue, number>> = { core: 100 };

/** Queues whose workflows run in their own thread, because mail must not delay payments. */
const OWN_THREAD: readonly TaskQueue[] = ['payments'];

export interface Workers {
  /** Resolves when all workers have drained after `shutdown`; rejects when one fails. */
  run(): Promise<void>;
  shutdown(): void;
}

/**
 * Creates the workers of the given task queues.
 * @param queues task queues to serve
 * @throws Error when Temporal cannot be reached
 */
export async function createWorkers(queues: readonly TaskQueue[] = TASK_QUEUES): Promise<Workers> {
  redirectSdkLog();
  const connection = await connectWorkers();
  const SharedThreadWorker = threadSharingWorker();
  const workers = await Promise.all(
    queues.map(async (queue) => {
      const WorkerClass = OWN_THREAD.includes(queue) ? Worker : SharedThreadWorker;
      return WorkerClass.create(await optionsFor(queue, connection.first));
    }),
  );
  return {
    async run() {
      connection.startFailover(workers);
      try {
        await Promise.all(workers.map((worker) => worker.run()));
      } finally {
        await connection.close();
      }
    },
    shutdown() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
    },
  };
}

let isLoggerInstalled = false;

/**
 * Redirects the SDK's log to the project's log. The SDK's log may quote payloads and messages; the project's log only
 * writes fields of an allow-list.
 */
function redirectSdkLog(): void {
  if (isLoggerInstalled) return;
  isLoggerInstalled = true;
  const logger = new DefaultLogger('WARN', ({ message, meta }) =>
    log.warn({ part: 'temporal', workflowId: meta?.['workflowId'] }, message),
  );
  Runtime.install({ logger, shutdownSignals: [] });
}

/** Returns the options of the worker for one task queue. */
export async function optionsFor(queue: TaskQueue, connection: NativeConnection): Promise<WorkerOptions> {
  return {
    connection,
    namespace: config.TEMPORAL_NAMESPACE,
    taskQueue: queueName(queue),
    activities,
    ...(await interceptWorkflows(queue)),
    dataConverter: dataConverter(),
    ...buildVersioning(),
    ...(CACHED_WORKFLOWS[queue] && { maxCachedWorkflows: CACHED_WORKFLOWS[queue] }),
    maxConcurrentActivityTaskExecutions: CONCURRENCY[queue],
    maxConcurrentLocalActivityExecutions: CONCURRENCY[queue],
    shutdownGraceTime: `${config.SHUTDOWN_GRACE_SECONDS} seconds`,
    stickyQueueScheduleToStartTimeout: '2 seconds',
  };
}
