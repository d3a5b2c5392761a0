/** Reads one process in full: its history, how it failed, and whether money moved. */
import { type FailedStep, failedStep } from '../../gateways/temporal/processes/runState.js';
import { type ExecutionHistory, readHistory } from '../../gateways/temporal/processes/history.js';
import { inTenantIfAny } from '../../models/database/tenancy.js';
import { moneyMoved } from '../../models/processes/moneyMoved.js';
import { findOverdueSubjects } from '../../models/processes/overdueRows.js';
import type { MoneyMoved } from '../../models/processes/rowParts.js';
import type { Process } from './findProcess.js';

/** A process with its history and with facts from its rows. */
export interface ProcessDetails {
  process: Process;
  history: ExecutionHistory | null;
  /** The step at which the process failed or was ended; null when the process did not fail. */
  ending: FailedStep | null;
  moved: MoneyMoved;
  /** Whether the row that the process follows is overdue. */
  isOverdue: boolean;
}

export async function readDetails(process: Process): Promise<ProcessDetails> {
  const { facts, execution, waiting } = process;
  const history = execution && (await readHistory(execution.workflowId, execution.runId));
  const input = waiting ? waiting.input : (history?.input ?? null);
  const organizationId = waiting ? waiting.organizationId : execution.organizationId;
  const readMoneyMoved = () => moneyMoved(facts, input);
  const moved = await inTenantIfAny(organizationId, readMoneyMoved, { readOnly: true });
  const isOverdue = execution !== null && (await findOverdueSubjects([execution])).size > 0;
  const hasFailed = execution !== null && ['failed', 'terminated', 'timed_out'].includes(execution.status);
  return { process, history, ending: hasFailed && history ? await failedStep(history.events) : null, moved, isOverdue };
}
