/** Locates the workflow code: the prebuilt bundle if there is one, since bundling at start takes seconds. */
import { existsSync } from 'node:fs';
import type { WorkerOptions } from '@temporalio/worker';
import { config } from '../config.js';

export interface WorkflowCode {
  code: Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'>;
  /** Workflow interceptors; a bundle contains them already. */
  modules: string[];
}

export function workflowCode(): WorkflowCode {
  const bundle = config.tracing ? config.WORKFLOW_BUNDLE?.replace(/\.js$/, '.traced.js') : config.WORKFLOW_BUNDLE;
  if (bundle && existsSync(bundle)) return { code: { workflowBundle: { codePath: bundle } }, modules: [] };
  return {
    code: { workflowsPath: require.resolve('../workflows/index') },
    modules: [
      ...(config.tracing ? [require.resolve('../workflows/tracing')] : []),
      require.resolve('../workflows/interceptors'),
    ],
  };
}
