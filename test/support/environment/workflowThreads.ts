/**
 * The workflow threads of workers: threads of an ended worker are reused by the next one of this process, since each new thread
 * first loads Temporal's protocol and all workflows. Workflows stay isolated from one another: a thread is kept only when all its
 * own have ended.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Worker as Thread } from 'node:worker_threads';
import type { ThreadedVMWorkflowCreator as Threads } from '@temporalio/worker/lib/workflow/threaded-vm';

type Library = typeof import('@temporalio/worker/lib/workflow/threaded-vm');
type Options = Parameters<typeof Threads.create>[0];

/** Internals of the SDK. */
interface Insides {
  workerThreadClients: { workerThread: Thread; logger: Options['logger']; getActiveWorkflowCount(): number }[];
}
const clientsOf = (threads: Threads) => (threads as unknown as Insides).workerThreadClients;

/** Two platforms have this many. */
const MOST_KEPT = 4;
const kept: { threads: Threads; like: Omit<Options, 'logger'> }[] = [];

let isInstalled = false;

/** Keeps threads from now on. */
export function keepWorkflowThreads(): void {
  if (isInstalled) return;
  isInstalled = true;
  // Loaded on use: it is heavy, and the fast tier has no workers.
  const { ThreadedVMWorkflowCreator: Creator } = require('@temporalio/worker/lib/workflow/threaded-vm') as Library;
  const create = Creator.create.bind(Creator);
  Creator.create = async (options) => {
    const { logger, ...like } = options;
    const at = kept.findIndex((one) => isDeepStrictEqual(one.like, like));
    const threads = kept.splice(at, at === -1 ? 0 : 1)[0]?.threads ?? (await create(options));
    for (const client of clientsOf(threads)) {
      client.workerThread.ref();
      client.logger = logger;
    }
    const destroy = Creator.prototype.destroy.bind(threads);
    threads.destroy = async () => {
      const isBusy = clientsOf(threads).some((client) => client.getActiveWorkflowCount() > 0);
      if (isBusy || kept.length === MOST_KEPT || like.patchActivationCallback) return destroy();
      for (const { workerThread } of clientsOf(threads)) workerThread.unref();
      kept.push({ threads, like });
    };
    return threads;
  };
}
