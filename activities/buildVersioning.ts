import type { WorkerOptions } from '@temporalio/worker';
import { config } from '../config.js';
import { deploymentName } from '../gateways/temporal/builds.js';

/** Pins processes to the worker build on which they began, if the worker reports one (worker versioning). */
export function buildVersioning(): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const { TEMPORAL_BUILD_ID: buildId } = config;
  if (!buildId) return {};
  const version = { deploymentName: deploymentName(), buildId };
  return { workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } };
}
