/** Presents one process in full: its history, its wait, whether money moved, and which actions are possible. */
import type { DescribedExecution } from '../../gateways/temporal/processes/describe.js';
import { type FailedStep, nextTimerAt } from '../../gateways/temporal/processes/runState.js';
import type { ExecutionHistory } from '../../gateways/temporal/processes/history.js';
import { mayCancel, mayRetry, type Verdict } from '../../services/processes/actions.js';
import type { ProcessDetails } from '../../services/processes/details.js';
import type { Process } from '../../services/processes/findProcess.js';
import { stuckReason } from '../../services/processes/stuck.js';
import {
  failingStep,
  type WaitingFor,
  waitingFor,
  waitsForRecovery,
  waitsForStart,
} from '../../services/processes/waitingFor.js';
import { describeFailure } from '../../workflows/contracts/failures.js';
import type { ProcessFacts } from '../../workflows/contracts/index.js';
import { iso, presentRow, type ProcessRow, rowOfExecution, rowOfWaiting } from './present.js';

export async function presentDetails(details: ProcessDetails, { isPlatformAdmin }: { isPlatformAdmin: boolean }) {
  const { process, history, moved, label } = details;
  const { execution, waiting } = process;
  return {
    ...presentRow(rowOf(details), { label, isPlatformAdmin }),
    stages: (history?.stages ?? []).map(({ stage, at }) => ({ stage, at: at.toISOString() })),
    stages_complete: history?.complete ?? true,
    waiting_for: presentWait(await waitOf(process, history)),
    ...(waiting ? startAttempts(waiting) : stepAttempts(process.facts, execution, details.ending)),
    money_moved: moved,
    actions: [action('retry', mayRetry(process)), action('cancel', mayCancel(process, moved))],
  };
}

function rowOf({ process, isOverdue, recorded }: ProcessDetails): ProcessRow {
  if (process.waiting) return rowOfWaiting(process.facts, process.waiting);
  const { facts, execution, intent } = process;
  const stuck = stuckReason(facts, execution, { isOverdue, recorded }) ?? (intent ? 'no_process' : null);
  return rowOfExecution(facts, { ...execution, startedAt: execution.firstStartedAt }, stuck);
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
