/** Reads one process in full: its history, how it failed, and whether money moved. */
import { type FailedStep, failedStep } from '../../gateways/temporal/processes/runState.js';
import { type ExecutionHistory, readHistory } from '../../gateways/temporal/processes/history.js';
import { inTenantIfAny } from '../../models/database/tenancy.js';
import { readIncidents, type StuckReason } from '../../models/processes/incidents.js';
import { readLabels } from '../../models/processes/labels.js';
import { moneyMoved } from '../../models/processes/moneyMoved.js';
import { findOverdueSubjects } from '../../models/processes/overdueRows.js';
import type { MoneyMoved } from '../../models/processes/rowParts.js';
import { type Process, subjectOf } from './findProcess.js';

/** A process with its history and with facts from its rows. */
export interface ProcessDetails {
  process: Process;
  history: ExecutionHistory | null;
  /** The step at which the process failed or was ended; null when the process did not fail. */
  ending: FailedStep | null;
  moved: MoneyMoved;
  /** Whether the row that the process follows is overdue. */
  isOverdue: boolean;
  /** Why the process is on the list of stuck processes; null when it is not. */
  recorded: StuckReason | null;
  /** The subject of the process as text; null if processes of its kind have none. */
  label: string | null;
}

export async function readDetails(process: Process): Promise<ProcessDetails> {
  const { facts, execution, waiting } = process;
  const history = execution && (await readHistory(execution.workflowId, execution.runId));
  const input = waiting ? waiting.input : (history?.input ?? null);
  const organizationId = waiting ? waiting.organizationId : execution.organizationId;
  const { workflowId } = execution ?? waiting;
  const { moved, recorded, label } = await inTenantIfAny(
    organizationId,
    async () => ({
      moved: await moneyMoved(facts, input),
      recorded: execution?.status === 'running' ? await recordedReason(workflowId) : null,
      label: organizationId === null ? null : await readLabel({ process, workflowId }),
    }),
    { readOnly: true },
  );
  const isOverdue = execution !== null && (await findOverdueSubjects([execution])).size > 0;
  const hasFailed = execution !== null && ['failed', 'terminated', 'timed_out'].includes(execution.status);
  const ending = hasFailed && history ? await failedStep(history.events) : null;
  return { process, history, ending, moved, isOverdue, recorded, label };
}

const recordedReason = async (workflowId: string): Promise<StuckReason | null> =>
  (await readIncidents([workflowId])).get(workflowId)?.reason ?? null;

async function readLabel({ process, workflowId }: { process: Process; workflowId: string }): Promise<string | null> {
  const subjectId = subjectOf(process)?.id ?? null;
  const labels = await readLabels([{ workflowId, kind: process.facts.kind, subjectId }]);
  return labels.get(workflowId) ?? null;
}
