import type { WorkerOptions } from '@temporalio/worker';
import { config } from '../config.js';
import { deploymentName } from '../gateways/temporal/builds.js';

/**
 * Makes each process finish on the worker build on which it started (Temporal's worker versioning). Applies only if
 * TEMPORAL_BUILD_ID names this worker's build.
 */
export function buildVersioning(): Pick<WorkerOptions, 'workerDeploymentOptions'> {
  const { TEMPORAL_BUILD_ID: buildId } = config;
  if (!buildId) return {};
  const version = { deploymentName: deploymentName(), buildId };
  return { workerDeploymentOptions: { version, useWorkerVersioning: true, defaultVersioningBehavior: 'PINNED' } };
}
