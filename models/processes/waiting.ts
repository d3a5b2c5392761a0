/**
 * Lists processes that have not been started yet, because their intent is not dispatched, and processes that were
 * cancelled before their start.
 */
import { PROCESS_KINDS, PROCESSES } from '../../workflows/contracts/index.js';
import { countAndOldest } from '../database/countAndOldest.js';
import { firstRow, oneRow } from '../database/rows.js';
import type { Incident } from './incidents.js';

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
  kinds?: Kinds;
  kind?: string | undefined;
  status?: 'waiting' | 'cancelled' | undefined;
  subjectId?: string | undefined;
  chapterId?: string | undefined;
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
  stuck?: boolean | undefined;
}

interface Slice {
  offset: number;
  limit: number;
}

/** Facts about each kind of process that the SQL below needs. */
const KIND_FACTS = PROCESSES.map(({ name, kind, subject, expectedMinutes }) => ({
  name,
  kind,
  subject: subject.id,
  minutes: expectedMinutes,
}));

/** The kinds of processes that a reader sees; null: all kinds. */
type Kinds = ReadonlySet<string> | null;

const factsOf = (kinds: Kinds): string => JSON.stringify(KIND_FACTS.filter(({ kind }) => kinds?.has(kind) ?? true));
const namesOf = (kinds: Kinds): string[] =>
  PROCESS_KINDS.flatMap(({ kind }) => ((kinds?.has(kind) ?? true) ? [kind] : []));

/** SQL condition: the intent cannot be dispatched, or has waited for longer than its process is expected to run. */
const IS_STUCK = `o.dispatched_at IS NULL AND (o.attempts >= ${STUCK_ATTEMPTS} OR coalesce(o.created_at < now() - make_interval(mins => k.minutes), false))`;

/** SQL: intents that are not dispatched, and cancelled ones. `$1` has the facts of kinds, `$2` the organization. */
const NOT_STARTED = `
  SELECT o.id, o.organization_id AS "organizationId", o.process AS name, o.workflow_id AS "workflowId", o.input,
         o.created_at AS "createdAt", o.cancelled_at AS "cancelledAt", o.attempts AS failures, o.last_error AS "lastError",
         o.not_before AS "notBefore", k.kind, o.input->>k.subject AS subject,
         ${IS_STUCK} AS stuck
    FROM outbox o JOIN jsonb_to_recordset($1) AS k (name text, kind text, subject text, minutes int) ON k.name = o.process
   WHERE (o.dispatched_at IS NULL OR o.cancelled_at IS NOT NULL) AND ($2::uuid IS NULL OR o.organization_id = $2)`;

/** SQL: lost processes of which Temporal has no execution, in the form of `NOT_STARTED`. */
const LOST = `
  SELECT NULL::uuid, i.organization_id, k.name, i.workflow_id, i.input, i.started_at, NULL::timestamptz, 0, NULL::text,
         NULL::timestamptz, i.kind, i.subject_id, true
    FROM process_incidents i JOIN jsonb_to_recordset($1) AS k (name text, kind text) ON k.kind = i.kind
   WHERE i.status = 'waiting' AND ($2::uuid IS NULL OR i.organization_id = $2)`;

/** SQL conditions on the columns of `NOT_STARTED`. */
const MATCHES = `($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR subject = $4)
  AND ($5::text IS NULL OR input->>'chapterId' = $5)
  AND ($6::timestamptz IS NULL OR "createdAt" >= $6) AND ($7::timestamptz IS NULL OR "createdAt" < $7)`;

/** The values of `$1` to `$7`. */
const valuesOf = (filters: Omit<WaitingFilters, 'status'>): unknown[] => {
  const { organizationId, kinds = null, kind, subjectId, chapterId, startedAfter, startedBefore } = filters;
  return [
    factsOf(kinds),
    organizationId,
    kind ?? null,
    subjectId ?? null,
    chapterId ?? null,
    startedAfter ?? null,
    startedBefore ?? null,
  ];
};

/**
 * Lists a page of the waiting processes, followed by the cancelled ones, each newest first. The outbox has no row level
 * security, so the query filters by organization.
 */
export function listWaiting(
  filters: WaitingFilters,
  { offset, limit }: Slice,
): Promise<{ count: number; results: WaitingProcess[] }> {
  const { status, stuck } = filters;
  return oneRow(
    `WITH waiting AS (
       SELECT * FROM (${NOT_STARTED} UNION ALL ${LOST}) w
        WHERE ${MATCHES} AND ($8::text IS NULL OR ($8 = 'cancelled') = ("cancelledAt" IS NOT NULL))
          AND ($9::boolean IS NULL OR stuck = $9))
     SELECT (SELECT count(*)::int FROM waiting) AS count,
            (SELECT coalesce(json_agg(page), '[]') FROM (
               SELECT * FROM waiting ORDER BY ("cancelledAt" IS NOT NULL), id DESC, "createdAt" DESC LIMIT $10 OFFSET $11) page) AS results`,
    [...valuesOf(filters), status ?? null, stuck ?? null, limit, offset],
  );
}

/** A stuck process: either one that is on the list of stuck processes, or an intent that cannot be dispatched. */
export type StuckProcess = { since: string } & (
  | { incident: Omit<Incident, 'startedAt'> & { startedAt: string }; waiting: null }
  | { incident: null; waiting: WaitingProcess }
);

interface StuckFilters extends Omit<WaitingFilters, 'status' | 'stuck'> {
  status?: Incident['status'] | undefined;
}

/** Lists a page of the stuck processes, in one statement: the one that has been stuck for longest comes first. */
export function listStuck(
  filters: StuckFilters,
  { offset, limit }: Slice,
): Promise<{ count: number; results: StuckProcess[] }> {
  return oneRow(
    `WITH stuck AS (
       SELECT to_jsonb(w) AS waiting, NULL::jsonb AS incident, w."createdAt" AS since, w."workflowId" AS workflow_id
         FROM (${NOT_STARTED}) w WHERE ${MATCHES} AND stuck AND ($8::text IS NULL OR $8 = 'waiting')
       UNION ALL
       SELECT NULL, to_jsonb(i), i.since, i."workflowId"
         FROM (SELECT i.workflow_id AS "workflowId", i.organization_id AS "organizationId", i.kind, i.input,
                      i.subject_id AS "subjectId", i.subject_id AS subject, i.chapter_id AS "chapterId", i.reason, i.status,
                      i.started_at AS "startedAt", i.started_at AS "createdAt", i.created_at AS since
                 FROM process_incidents i WHERE ($2::uuid IS NULL OR i.organization_id = $2) AND i.kind = ANY ($9)) i
        WHERE ($3::text IS NULL OR kind = $3) AND ($4::text IS NULL OR subject = $4)
          AND ($5::text IS NULL OR "chapterId"::text = $5) AND ($8::text IS NULL OR status = $8)
          AND ($6::timestamptz IS NULL OR "startedAt" >= $6) AND ($7::timestamptz IS NULL OR "startedAt" < $7))
     SELECT (SELECT count(*)::int FROM stuck) AS count,
            (SELECT coalesce(json_agg(page), '[]') FROM (
               SELECT since, incident, waiting FROM stuck ORDER BY since, workflow_id LIMIT $10 OFFSET $11) page) AS results`,
    [...valuesOf(filters), filters.status ?? null, namesOf(filters.kinds ?? null), limit, offset],
  );
}

/**
 * SQL: number of the rows that `listStuck` lists, and the time since which the oldest is stuck.
 * @param facts SQL of the first of `stuckValues`
 * @param names SQL of the second one
 * @param organization SQL of the id of the only organization; absent: all organizations and the platform
 */
export function stuckProcessesSql(facts: string, names: string, organization?: string): string {
  const inScope = (column: string) => (organization === undefined ? '' : `AND ${column} = ${organization}::uuid`);
  return countAndOldest(
    'since',
    `(SELECT o.created_at AS since
        FROM outbox o JOIN jsonb_to_recordset(${facts}::jsonb) AS k (name text, minutes int) ON k.name = o.process
       WHERE ${IS_STUCK} ${inScope('o.organization_id')}
      UNION ALL
      SELECT i.created_at FROM process_incidents i WHERE i.kind = ANY (${names}::text[]) ${inScope('i.organization_id')}) stuck`,
  );
}

/** Returns the values of `stuckProcessesSql`. */
export const stuckValues = (kinds: Kinds): [facts: string, names: string[]] => [factsOf(kinds), namesOf(kinds)];

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
