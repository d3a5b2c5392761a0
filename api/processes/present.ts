/** Presents a process in a list; `presentDetails.ts` presents it in full. */
import { config } from '../../config.js';
import type { Execution } from '../../gateways/temporal/processes/execution.js';
import type { Incident, StuckReason } from '../../models/processes/incidents.js';
import type { ProcessInput } from '../../models/processes/rowParts.js';
import { STUCK_ATTEMPTS, type WaitingProcess } from '../../models/processes/waiting.js';
import { type ProcessFacts, processByName, subjectTypeOf } from '../../workflows/contracts/index.js';
import { processId } from './id.js';

/** Formats a date as ISO 8601; null stays null. */
export const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null;

export interface ProcessRow {
  workflowId: string;
  facts: ProcessFacts;
  status: Incident['status'];
  stage: string | null;
  subjectId: string | null;
  organizationId: string | null;
  chapterId: string | null;
  startedAt: Date;
  closedAt: Date | null;
  stuck: StuckReason | null;
  /** Null when it is not known here. */
  input: ProcessInput | null;
}

interface Context {
  /** The subject of the process as text, for example `Remittance of Alpha`; null: the row shows the summary of its kind. */
  label: string | null;
  /** Whether the reader may use the Temporal UI. */
  isPlatformAdmin: boolean;
}

export function presentRow({ facts, ...row }: ProcessRow, { label, isPlatformAdmin }: Context) {
  const subjectType = subjectTypeOf(facts.name);
  const id = processId(row.workflowId);
  return {
    id,
    workflow_id: row.workflowId,
    kind: facts.kind,
    summary: facts.summary,
    label: label ?? facts.summary,
    status: row.status,
    stage: row.stage,
    subject: subjectType && row.subjectId ? { type: subjectType, id: row.subjectId } : null,
    organization: row.organizationId,
    chapter: row.chapterId,
    started_at: row.startedAt.toISOString(),
    closed_at: iso(row.closedAt),
    stuck: row.stuck !== null,
    stuck_reason: row.stuck,
    console_path: `/console/processes/${id}`,
    temporal_url: isPlatformAdmin ? temporalUrl(row.workflowId) : null,
  };
}

/** Returns the address of a process in the Temporal UI. */
const temporalUrl = (workflowId: string): string =>
  `${config.TEMPORAL_UI_URL.replace(/\/$/, '')}/namespaces/${encodeURIComponent(config.TEMPORAL_NAMESPACE)}/workflows/${encodeURIComponent(workflowId)}`;

/** Returns the row of an intent whose process has not started, or was cancelled before it started. */
export function rowOfWaiting(facts: ProcessFacts, waiting: WaitingProcess): ProcessRow {
  const { name, input, cancelledAt, workflowId, organizationId } = waiting;
  const contract = processByName(name);
  return {
    workflowId,
    organizationId,
    facts,
    status: cancelledAt ? 'cancelled' : 'waiting',
    stage: null,
    subjectId: input[contract.subject.id] ?? null,
    chapterId: contract.chapterId?.(input as never) ?? null,
    startedAt: new Date(waiting.createdAt),
    closedAt: cancelledAt ? new Date(cancelledAt) : null,
    stuck: stuckReasonOfWaiting(waiting),
    input,
  };
}

function stuckReasonOfWaiting({ id, stuck, failures }: WaitingProcess): StuckReason | null {
  if (!stuck) return null;
  if (id === null) return 'no_process';
  return failures >= STUCK_ATTEMPTS ? 'attempts' : 'age';
}

/**
 * Returns the row of a process that Temporal knows.
 * @param stuck why it is stuck; null when it is not
 */
export const rowOfExecution = (
  facts: ProcessFacts,
  execution: Execution,
  stuck: StuckReason | null,
  input: ProcessInput | null = null,
): ProcessRow => ({ ...execution, facts, stuck, input });
