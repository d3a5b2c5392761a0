import type { Execution } from '../../gateways/temporal/processes/execution.js';
import type { ExecutionStatus } from '../../gateways/temporal/processes/query.js';
import { STUCK_ATTEMPTS, type WaitingProcess } from '../../models/processes/waiting.js';
import { type ProcessFacts, processByName, subjectTypeOf } from '../../workflows/contracts/index.js';
import { processId } from './id.js';
import type { Process } from '../../services/processes/findProcess.js';
import { type StuckReason, stuckReason } from '../../services/processes/stuck.js';

/** Formats a date as ISO 8601; null stays null. */
export const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export type Status = 'waiting' | ExecutionStatus;

interface ProcessRow {
  workflowId: string;
  facts: ProcessFacts;
  status: Status;
  stage: string | null;
  subjectId: string | null;
  organizationId: string | null;
  chapterId: string | null;
  startedAt: Date;
  closedAt: Date | null;
  stuck: StuckReason | null;
}

const present = ({ facts, ...process }: ProcessRow) => {
  const subjectType = subjectTypeOf(facts.name);
  return {
    id: processId(process.workflowId),
    workflow_id: process.workflowId,
    kind: facts.kind,
    summary: facts.summary,
    status: process.status,
    stage: process.stage,
    subject: subjectType && process.subjectId ? { type: subjectType, id: process.subjectId } : null,
    organization: process.organizationId,
    chapter: process.chapterId,
    started_at: process.startedAt.toISOString(),
    closed_at: iso(process.closedAt),
    stuck: process.stuck !== null,
    stuck_reason: process.stuck,
  };
};

/**
 * Presents a process for a list.
 * @param stuck why it is stuck; null when it is not, or when it was not examined
 */
export const presentExecution = (facts: ProcessFacts, execution: Execution, stuck: StuckReason | null) =>
  present({ ...execution, facts, stuck });

/** Presents an intent whose process has not started, or was cancelled before it started. */
export function presentWaiting(facts: ProcessFacts, waiting: WaitingProcess) {
  const { name, input, cancelledAt } = waiting;
  const contract = processByName(name);
  return present({
    ...waiting,
    facts,
    status: cancelledAt ? 'cancelled' : 'waiting',
    stage: null,
    subjectId: input[contract.subject.id] ?? null,
    chapterId: contract.chapterId?.(input as never) ?? null,
    startedAt: new Date(waiting.createdAt),
    closedAt: cancelledAt ? new Date(cancelledAt) : null,
    stuck: stuckReasonOfWaiting(waiting),
  });
}

function stuckReasonOfWaiting({ id, stuck, failures }: WaitingProcess): StuckReason | null {
  if (!stuck) return null;
  if (id === null) return 'no_process';
  return failures >= STUCK_ATTEMPTS ? 'attempts' : 'age';
}

/** @param isOverdue whether the row that the process follows is overdue */
export function presentProcess(process: Process, isOverdue = false) {
  if (process.waiting) return presentWaiting(process.facts, process.waiting);
  const { facts, execution, intent } = process;
  const stuck = stuckReason(facts, execution, isOverdue) ?? (intent ? 'no_process' : null);
  return presentExecution(facts, { ...execution, startedAt: execution.firstStartedAt }, stuck);
}
