import type { WorkerOptions } from '@temporalio/worker';
import { config } from '../config.js';
import { deploymentName } from '../gateways/temporal/builds.js';

/** Processes that begin on a worker's build stay on it, where the worker says which that is. */
export function ownBuild(): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const { TEMPORAL_BUILD_ID: buildId } = config;
  if (!buildId) return {};
  const version = { deploymentName: deploymentName(), buildId };
  return { workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } };
}
