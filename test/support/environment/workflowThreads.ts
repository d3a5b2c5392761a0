/**
 * The workflow threads of workers: threads of an ended worker are reused by the next one of this process, since each new thread
 * first loads Temporal's protocol and all workflows. Workflows stay isolated from one another: a thread is reused only when all its
 * workflows have ended.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Worker as Thread } from 'node:worker_threads';
import type { ThreadedVMWorkflowCreator } from '@temporalio/worker/lib/workflow/threaded-vm';

type Library = typeof import('@temporalio/worker/lib/workflow/threaded-vm');
type Options = Parameters<typeof ThreadedVMWorkflowCreator.create>[0];

/** Internals of the SDK. */
interface CreatorInternals {
  workerThreadClients: { workerThread: Thread; logger: Options['logger']; getActiveWorkflowCount(): number }[];
}
const clientsOf = (creator: ThreadedVMWorkflowCreator) => (creator as unknown as CreatorInternals).workerThreadClients;

/** Two platforms have this many. */
const MAX_IDLE_CREATORS = 4;
/** Threads of ended workers, with the options that they were created with. */
const idleCreators: { creator: ThreadedVMWorkflowCreator; options: Omit<Options, 'logger'> }[] = [];

let isInstalled = false;

/** Reuses threads from now on. */
export function reuseWorkflowThreads(): void {
  if (isInstalled) return;
  isInstalled = true;
  // Loaded on use: it is heavy, and the fast tier has no workers.
  const { ThreadedVMWorkflowCreator: Creator } = require('@temporalio/worker/lib/workflow/threaded-vm') as Library;
  const create = Creator.create.bind(Creator);
  Creator.create = async (givenOptions) => {
    const { logger, ...options } = givenOptions;
    const index = idleCreators.findIndex((idle) => isDeepStrictEqual(idle.options, options));
    const [reused] = index === -1 ? [] : idleCreators.splice(index, 1);
    const creator = reused?.creator ?? (await create(givenOptions));
    for (const client of clientsOf(creator)) {
      client.workerThread.ref();
      client.logger = logger;
    }
    const destroy = Creator.prototype.destroy.bind(creator);
    creator.destroy = async () => {
      const isBusy = clientsOf(creator).some((client) => client.getActiveWorkflowCount() > 0);
      const isFull = idleCreators.length === MAX_IDLE_CREATORS;
      if (isBusy || isFull || options.patchActivationCallback) return destroy();
      for (const { workerThread } of clientsOf(creator)) workerThread.unref();
      idleCreators.push({ creator, options });
    };
    return creator;
  };
}
