/**
 * Lets the workers of several queues share one workflow thread. Each thread loads Temporal's protocol and all
 * workflows, which dominates start-up time and memory.
 */
import type { Logger } from '@temporalio/common';
import { Worker } from '@temporalio/worker';
import type { CompiledWorkerOptions } from '@temporalio/worker/lib/worker-options';
import type { WorkflowCreator } from '@temporalio/worker/lib/workflow/interface';
import type { WorkflowBundleWithSourceMapAndFilename as Bundle } from '@temporalio/worker/lib/workflow/workflow-worker-thread/input';

/**
 * Returns a Worker class whose instances share one workflow thread. The thread starts with the first worker and ends
 * with the last.
 */
export function threadSharingWorker(): typeof Worker {
  let threads: Promise<WorkflowCreator> | undefined;
  let workers = 0;
  return class extends Worker {
    protected static override async createWorkflowCreator(
      bundle: Bundle,
      options: CompiledWorkerOptions,
      logger: Logger,
    ): Promise<WorkflowCreator> {
      workers += 1;
      const shared = await (threads ??= super.createWorkflowCreator(bundle, options, logger));
      return {
        createWorkflow: (createOptions) => shared.createWorkflow(createOptions),
        destroy: async () => {
          workers -= 1;
          if (workers === 0) await shared.destroy();
        },
      };
    }
  };
}
