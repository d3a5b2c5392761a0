/** Records stuck processes with what Temporal knows about them. */
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';
import { readInput } from '../../gateways/temporal/processes/history.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { log } from '../../models/log.js';
import {
  type Incident,
  readIncidents,
  recordIncidents,
  removeAttemptsIncident,
} from '../../models/processes/incidents.js';
import { factsByName, processByName } from '../../workflows/contracts/index.js';
import type { LostProcess } from './lost.js';

/** Builds the incident of a process that Temporal knows; null for a process of another kind than ours. */
export async function incidentOf(
  execution: DescribedExecution,
  reason: Incident['reason'],
  input?: Incident['input'],
): Promise<Incident | null> {
  const { workflowId, runId, organizationId, subjectId, chapterId, status } = execution;
  const facts = factsByName(execution.name);
  if (!facts) return null;
  return {
    workflowId,
    organizationId,
    kind: facts.kind,
    input: input ?? (await readInput(workflowId, runId)) ?? {},
    subjectId,
    chapterId,
    reason,
    status,
    startedAt: execution.firstStartedAt,
  };
}

/** Names one run of a process. */
interface Run {
  workflowId: string;
  runId: string;
}

/** Records that a process is stuck, as a worker has just noticed. Never throws: the check inserts what is missing. */
export async function reportIncident({ workflowId, runId }: Run, reason: 'attempts' | 'task_failed'): Promise<void> {
  try {
    const known = await inPlatform(() => readIncidents([workflowId]), { readOnly: true });
    if (known.get(workflowId)?.reason === reason) return;
    const execution = await describeExecution(workflowId, runId);
    const incident = execution?.status === 'running' ? await incidentOf(execution, reason) : null;
    if (incident) await inPlatform(() => recordIncidents([incident]));
  } catch (error) {
    log.warn({ err: error, workflowId }, 'could not record a stuck process');
  }
}

/** Deletes the incident of a process whose failing step has succeeded. Never throws: the check deletes the rest. */
export async function reportRecovery({ workflowId }: Pick<Run, 'workflowId'>): Promise<void> {
  try {
    await inPlatform(() => removeAttemptsIncident(workflowId));
  } catch (error) {
    log.warn({ err: error, workflowId }, 'could not delete the record of a stuck process');
  }
}

/** Builds the incident of a pending row without a process. */
export function incidentOfLost({ intent, execution }: LostProcess): Incident {
  const { workflowId, organizationId, input, createdAt, name } = intent;
  const contract = processByName(name);
  return {
    workflowId,
    organizationId,
    kind: contract.kind,
    input,
    subjectId: input[contract.subject.id] ?? null,
    chapterId: contract.chapterId(input as never),
    reason: 'no_process',
    status: execution?.status ?? 'waiting',
    startedAt: execution?.firstStartedAt ?? new Date(createdAt),
  };
}
