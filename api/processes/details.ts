/**
 * Reads and presents one process in full: its history, its wait, whether money moved, and which actions are possible.
 */
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import { type FailedStep, failedStep, nextTimerAt } from '../../gateways/temporal/processes/runState.js';
import { type ExecutionHistory, readHistory } from '../../gateways/temporal/processes/history.js';
import { inTenantIfAny } from '../../models/database/tenancy.js';
import { moneyMoved } from '../../models/processes/moneyMoved.js';
import { findOverdueSubjects } from '../../models/processes/overdueRows.js';
import type { MoneyMoved } from '../../models/processes/rowParts.js';
import { describeFailure } from '../../workflows/contracts/failures.js';
import type { ProcessFacts } from '../../workflows/contracts/index.js';
import { mayCancel, mayRetry, type Verdict } from './actions.js';
import { iso, presentProcess } from './present.js';
import type { Process } from './reach.js';
import { failingStep, type WaitingFor, waitingFor, waitsForRecovery, waitsForStart } from './waitingFor.js';

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

export async function presentDetails(details: ProcessDetails) {
  const { process, history, moved, isOverdue } = details;
  const { execution, waiting } = process;
  return {
    ...presentProcess(process, isOverdue),
    stages: (history?.stages ?? []).map(({ stage, at }) => ({ stage, at: at.toISOString() })),
    stages_complete: history?.complete ?? true,
    waiting_for: presentWait(await waitOf(process, history)),
    ...(waiting ? startAttempts(waiting) : stepAttempts(process.facts, execution, details.ending)),
    money_moved: moved,
    actions: [action('retry', mayRetry(process)), action('cancel', mayCancel(process, moved))],
  };
}

type Waiting = NonNullable<Process['waiting']>;

async function waitOf(process: Process, history: ExecutionHistory | null): Promise<WaitingFor | null> {
  if (process.waiting) return waitsForHandover(process.waiting);
  const { facts, execution, intent } = process;
  if (intent) return waitsForRecovery();
  return waitingFor(facts, execution, history && nextTimerAt(history.events));
}

function waitsForHandover({ id, cancelledAt, notBefore }: Waiting): WaitingFor | null {
  if (cancelledAt) return null;
  return id === null ? waitsForRecovery() : waitsForStart(dateOf(notBefore));
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

const presentWait = (wait: WaitingFor | null) => wait && { ...wait, until: iso(wait.until) };

const startAttempts = ({ failures, lastError, notBefore, cancelledAt }: Waiting) => ({
  attempts: failures,
  last_failure: lastError
    ? { code: 'not_handed_over', detail: 'Temporal did not accept the process.', at: null }
    : null,
  next_attempt_at: cancelledAt ? null : iso(dateOf(notBefore)),
});

function stepAttempts({ failures }: ProcessFacts, execution: DescribedExecution, ending: FailedStep | null) {
  const step = failingStep(execution);
  const failure = step ? step.lastFailure : ending?.failure;
  return {
    attempts: step?.attempt ?? ending?.attempts ?? 0,
    last_failure: failure
      ? { ...describeFailure(failures, failure.type), at: iso(step ? step.lastAttemptEndedAt : (ending?.at ?? null)) }
      : null,
    next_attempt_at: iso(step?.nextAttemptAt ?? null),
  };
}

const action = (name: 'retry' | 'cancel', { safe, reason }: Verdict) => ({ action: name, safe, reason });
