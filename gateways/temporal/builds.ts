/** The builds of the workers that the server knows, and which of them new processes go to. Only where workers say what build they are. */
import { temporal as protobuf } from '@temporalio/proto';
import { config } from '../../config.js';
import { temporal } from './client.js';
import { literal } from './processes/query.js';
import { dateOf } from './processes/times.js';

const STATUS = protobuf.api.enums.v1.WorkerDeploymentVersionStatus;
const DRAINAGE = protobuf.api.enums.v1.VersionDrainageStatus;
/** gRPC: nothing has that name. */
const NOT_FOUND = 5;

/**
 * waiting: came, and was never given new processes. current: is given them. draining: processes that began on it still
 * run. drained: none does, its workers may go.
 */
export type BuildState = 'waiting' | 'current' | 'draining' | 'drained';

export interface Build {
  id: string;
  state: BuildState;
  /** When its first worker came. */
  cameAt: Date | null;
}

/** What all builds of this deployment have in common: one name; the server wants neither dots nor colons in it. */
export const deploymentName = (): string => `${config.TEMPORAL_TASK_QUEUE_PREFIX}membership`.replaceAll(/[^\w-]/g, '-');

interface Known {
  builds: Build[];
  /** Whether ever somebody said which is current. */
  decided: boolean;
}

/** @returns oldest first; none where no worker has said what build it is. @throws Error when Temporal is away */
export const listBuilds = async (): Promise<Build[]> => (await known()).builds;

async function known(): Promise<Known> {
  try {
    const { workerDeploymentInfo: info } = await temporal().workflowService.describeWorkerDeployment({
      namespace: config.TEMPORAL_NAMESPACE,
      deploymentName: deploymentName(),
    });
    const builds = (info?.versionSummaries ?? []).map(({ deploymentVersion, status, drainageStatus, createTime }) => ({
      id: deploymentVersion?.buildId ?? '',
      state: stateOf(status, drainageStatus),
      cameAt: dateOf(createTime),
    }));
    const decided = Boolean(info?.routingConfig?.currentVersionChangedTime);
    return { builds: builds.toSorted((one, other) => Number(one.cameAt) - Number(other.cameAt)), decided };
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
 * From now on new processes go to this build; those that run stay where they began.
 * @param id null: to workers that say no build
 * @throws Error when no worker of it has come, or one of the queues that the build before served would be left
 */
export async function makeCurrent(id: string | null): Promise<void> {
  await temporal().workflowService.setWorkerDeploymentCurrentVersion({
    namespace: config.TEMPORAL_NAMESPACE,
    deploymentName: deploymentName(),
    buildId: id ?? '',
  });
}

/** Makes a build current where nobody has ever said which one is. Whatever was said before stays. @returns whether that is settled */
export async function settleFirstBuild(id: string): Promise<boolean> {
  const { builds, decided } = await known();
  if (decided) return true;
  if (!builds.some((build) => build.id === id)) return false;
  await makeCurrent(id);
  return true;
}

/**
 * Lets processes that run on a build go on with the current one, whose code must understand their histories (`patched()`).
 * @returns how many
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
