/**
 * Lists the worker builds that Temporal knows, and chooses the build that gets new processes (worker versioning). Used
 * only if workers report their build.
 */
import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../config.js';
import { temporal } from './client.js';
import { literal } from './processes/query.js';
import { dateOf } from './processes/times.js';

const STATUS = protobuf.api.enums.v1.WorkerDeploymentVersionStatus;
const DRAINAGE = protobuf.api.enums.v1.VersionDrainageStatus;
/** The gRPC code NOT_FOUND. */
const NOT_FOUND = 5;

/**
 * waiting: registered, and never given new processes. current: gets new processes. draining: processes that started on
 * it are still running. drained: none are running, so its workers may be stopped.
 */
export type BuildState = 'waiting' | 'current' | 'draining' | 'drained';

export interface Build {
  id: string;
  state: BuildState;
  /** When the first worker of this build registered; null if that is unknown. */
  registeredAt: Date | null;
}

/** Returns the deployment name that all builds share. The server allows neither dots nor colons in it. */
export const deploymentName = (): string => `${config.TEMPORAL_TASK_QUEUE_PREFIX}membership`.replaceAll(/[^\w-]/g, '-');

interface DeploymentState {
  builds: Build[];
  /** Whether any build was ever made the current one. */
  decided: boolean;
}

/**
 * Lists builds, oldest first; empty if no worker has reported its build.
 * @throws Error if Temporal is not available
 */
export const listBuilds = async (): Promise<Build[]> => (await readDeployment()).builds;

async function readDeployment(): Promise<DeploymentState> {
  try {
    const { workerDeploymentInfo: info } = await temporal().workflowService.describeWorkerDeployment({
      namespace: config.TEMPORAL_NAMESPACE,
      deploymentName: deploymentName(),
    });
    const builds = (info?.versionSummaries ?? []).map(({ deploymentVersion, status, drainageStatus, createTime }) => ({
      id: deploymentVersion?.buildId ?? '',
      state: stateOf(status, drainageStatus),
      registeredAt: dateOf(createTime),
    }));
    const decided = Boolean(info?.routingConfig?.currentVersionChangedTime);
    return { builds: builds.toSorted((one, other) => Number(one.registeredAt) - Number(other.registeredAt)), decided };
  } catch (error) {
    if ((error as { code?: number }).code === NOT_FOUND) return { builds: [], decided: false };
    throw error;
  }
}

function stateOf(status: unknown, drainage: unknown): BuildState {
  if (status === STATUS.WORKER_DEPLOYMENT_VERSION_STATUS_CURRENT) return 'current';
  if (drainage === DRAINAGE.VERSION_DRAINAGE_STATUS_DRAINED) return 'drained';
  return drainage === DRAINAGE.VERSION_DRAINAGE_STATUS_DRAINING ? 'draining' : 'waiting';
}

/**
 * Sends new processes to this build; running ones stay on their build.
 * @param id null: workers that report no build
 * @throws Error if the build has no worker, or does not serve a queue that the previous build served
 */
export async function makeCurrent(id: string | null): Promise<void> {
  await temporal().workflowService.setWorkerDeploymentCurrentVersion({
    namespace: config.TEMPORAL_NAMESPACE,
    deploymentName: deploymentName(),
    buildId: id ?? '',
  });
}

/**
 * Makes a build the current one, unless a build was made current before.
 * @returns whether any build is current now
 */
export async function settleFirstBuild(id: string): Promise<boolean> {
  const { builds, decided } = await readDeployment();
  if (decided) return true;
  if (!builds.some((build) => build.id === id)) return false;
  await makeCurrent(id);
  return true;
}

/**
 * Moves the running processes of a build to the current build, whose code must be compatible with their histories
 * (`patched()`).
 * @returns the number of moved processes
 */
export async function moveToCurrent(id: string): Promise<number> {
  const client = temporal();
  const version = literal(`${deploymentName()}:${id}`);
  let moved = 0;
  const query = `TemporalWorkerDeploymentVersion = ${version} AND ExecutionStatus = 'Running'`;
  for await (const { workflowId, runId } of client.workflow.list({ query })) {
    await client.workflowService.updateWorkflowExecutionOptions({
      namespace: config.TEMPORAL_NAMESPACE,
      workflowExecution: { workflowId, runId },
      workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
      updateMask: { paths: ['versioning_override'] },
    });
    moved += 1;
  }
  return moved;
}
