/**
 * Lists processes that have not been started yet, because their intent is not dispatched, and processes that were
 * cancelled before their start.
 */
import { PROCESSES } from '../../workflows/contracts/index.js';
import { firstRow, oneRow } from '../database/rows.js';

/** Number of failed attempts from which a step counts as stuck. */
export const STUCK_ATTEMPTS = 5;

export interface WaitingProcess {
  /**
   * Id of the outbox row. Null if the intent was dispatched, but Temporal no longer knows the process, although the row
   * that the process works on still waits.
   */
  id: string | null;
  organizationId: string | null;
  /** The workflow type. */
  name: string;
  workflowId: string;
  input: Record<string, string>;
  createdAt: string;
  cancelledAt: string | null;
  /** Number of failed dispatches. */
  failures: number;
  /** Error of the last failed dispatch. */
  lastError: string | null;
  notBefore: string | null;
  stuck: boolean;
}

export interface WaitingFilters {
  /** Only processes of this organization. Null: all organizations. */
  organizationId: string | null;
  /** null: all kinds. */
  kinds?: ReadonlySet<string> | null;
  kind?: string | undefined;
  status?: 'waiting' | 'cancelled' | undefined;
  subjectId?: string | undefined;
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
  stuck?: boolean | undefined;
}

/** Facts about each kind of process that the SQL below needs. */
const KIND_FACTS = PROCESSES.map(({ name, kind, subject, expectedMinutes }) => ({
  name,
  kind,
  subject: subject.id,
  minutes: expectedMinutes,
}));

const NOT_STARTED = `
  SELECT o.id, o.organization_id AS "organizationId", o.process AS name, o.workflow_id AS "workflowId", o.input,
         o.created_at AS "createdAt", o.cancelled_at AS "cancelledAt", o.attempts AS failures, o.last_error AS "lastError",
         o.not_before AS "notBefore", k.kind, o.input->>k.subject AS subject,
         o.dispatched_at IS NULL AND (o.attempts >= ${STUCK_ATTEMPTS} OR coalesce(o.created_at < now() - make_interval(mins => k.minutes), false)) AS stuck
    FROM outbox o JOIN jsonb_to_recordset($1) AS k (name text, kind text, subject text, minutes int) ON k.name = o.process
   WHERE (o.dispatched_at IS NULL OR o.cancelled_at IS NOT NULL) AND ($2::uuid IS NULL OR o.organization_id = $2)`;

/**
 * Lists a page of the waiting processes, followed by the cancelled ones, each newest first. The outbox has no row level
 * security, so the query filters by organization.
 */
export function listWaiting(
  filters: WaitingFilters,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ count: number; results: WaitingProcess[] }> {
  const { organizationId, kinds = null, kind, status, subjectId, startedAfter, startedBefore, stuck } = filters;
  return oneRow(
    `WITH waiting AS (
       SELECT * FROM (${NOT_STARTED}) w
        WHERE ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR ($4 = 'cancelled') = ("cancelledAt" IS NOT NULL))
          AND ($5::text IS NULL OR subject = $5) AND ($6::timestamptz IS NULL OR "createdAt" >= $6)
          AND ($7::timestamptz IS NULL OR "createdAt" < $7) AND ($8::boolean IS NULL OR stuck = $8))
     SELECT (SELECT count(*)::int FROM waiting) AS count,
            (SELECT coalesce(json_agg(page), '[]') FROM (
               SELECT * FROM waiting ORDER BY ("cancelledAt" IS NOT NULL), id DESC LIMIT $9 OFFSET $10) page) AS results`,
    [
      JSON.stringify(KIND_FACTS.filter((facts) => kinds?.has(facts.kind) ?? true)),
      organizationId,
      kind ?? null,
      status ?? null,
      subjectId ?? null,
      startedAfter ?? null,
      startedBefore ?? null,
      stuck ?? null,
      limit,
      offset,
    ],
  );
}

/**
 * Finds the newest intent for a process that was not started. @returns null when there is none that this organization
 * may see
 */
export async function findWaiting(workflowId: string, organizationId: string | null): Promise<WaitingProcess | null> {
  const row = await firstRow<{ row: WaitingProcess }>(
    `SELECT to_json(w) AS row FROM (${NOT_STARTED} AND o.workflow_id = $3) w ORDER BY id DESC LIMIT 1`,
    [JSON.stringify(KIND_FACTS), organizationId, workflowId],
  );
  return row?.row ?? null;
}
