/**
 * Lists processes. Processes that have not started come from the database, all others from Temporal. Rows that are
 * still pending reveal lost processes.
 */
import type { z } from 'zod';
import { TemporalUnavailable } from '../../gateways/temporal/processes/callTemporal.js';
import { describeExecutions } from '../../gateways/temporal/processes/describe.js';
import type { Execution } from '../../gateways/temporal/processes/execution.js';
import { MAX_DEPTH, listExecutions, listLatest } from '../../gateways/temporal/processes/list.js';
import {
  type ExecutionFilters,
  overdueCondition,
  timelyCondition,
  visibilityQuery,
} from '../../gateways/temporal/processes/query.js';
import { invalid, refuse } from '../../models/errors.js';
import { listWaiting, type WaitingProcess } from '../../models/processes/waiting.js';
import { factsByName, PROCESS_KINDS } from '../../workflows/contracts/index.js';
import { presentPage } from '../http/pagination.js';
import { AfterCommit, type RequestFacts } from '../http/routes.js';
import { asWaiting, findLost, type LostProcess, readIntents } from '../../services/processes/lost.js';
import { presentExecution, presentWaiting, type Status } from './present.js';
import { isInScope, type Scope } from '../../services/processes/findProcess.js';
import { withTemporal } from './reach.js';
import type { ProcessFilters } from './schema.js';
import { findOverdueSubjects } from '../../models/processes/overdueRows.js';
import { stuckReason } from '../../services/processes/stuck.js';

/** Maximum number of running processes that the `stuck` filter describes one by one, besides the overdue ones. */
const MAX_EXAMINED = 300;

type Row = ReturnType<typeof presentExecution>;

/**
 * Reads one part of the list; the whole list consists of all parts in order. Returns the requested rows of the part,
 * and the number of all rows in the part.
 */
type Part = (offset: number, limit: number) => Promise<{ count: number; results: Row[] }>;

interface Slice {
  offset: number;
  limit: number;
}

/**
 * Lists the processes in scope.
 * @throws Refusal validation_error for a page beyond the maximum depth of lists, page_not_found
 */
export async function listProcesses(scope: Scope, query: z.output<typeof ProcessFilters>, request: RequestFacts) {
  const { kind, status, stuck, subject: subjectId } = query;
  const slice = sliceOf(query);
  const [startedAfter, startedBefore] = [dateOf(query.started_after), dateOf(query.started_before)];
  const { organizationId, kinds } = scope;
  const filters = { organizationId, kinds, kind, subjectId, startedAfter, startedBefore };
  const inDatabase = status === undefined || status === 'waiting' || status === 'cancelled';
  const waiting = inDatabase ? await listWaiting({ ...filters, status, stuck }, slice) : { count: 0, results: [] };
  const rows = status === 'running' ? NO_INTENTS : await readIntents(filters);
  return new AfterCommit(() =>
    withTemporal(async () => {
      const remaining = {
        offset: Math.max(0, slice.offset - waiting.count),
        limit: slice.limit - waiting.results.length,
      };
      const search = await findLost(rows.intents).catch(unlessWaiting(status));
      const lost = lostRows(search?.lost ?? [], status, stuck);
      const rest = await listRest({ ...filters, status }, stuck, lost, remaining);
      const results = [...notStarted(waiting.results, rest.results), ...rest.results];
      const count = waiting.count + rest.count;
      if (query.page > 1 && slice.offset >= count) throw refuse.page_not_found();
      const page = presentPage({ count, results }, query, request, (row) => row);
      return {
        ...page,
        next: isTooDeep(slice.offset + slice.limit, slice.limit) ? null : page.next,
        complete: rest.complete && rows.complete && search?.complete === true,
      };
    }),
  );
}

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const isTooDeep = (offset: number, limit: number): boolean => offset + limit > MAX_DEPTH;

function sliceOf({ page, page_size: limit }: { page: number; page_size: number }): Slice {
  const offset = (page - 1) * limit;
  if (!isTooDeep(offset, limit)) return { offset, limit };
  throw invalid(
    'page',
    `Lists return at most the first ${MAX_DEPTH} processes. Narrow the list, for example with started_before.`,
  );
}

/**
 * Omits intents whose process is among the started ones. The dispatcher has not marked these intents as dispatched yet.
 */
function notStarted(waiting: WaitingProcess[], started: Row[]): Row[] {
  const startedIds = new Set(started.map(({ workflow_id }) => workflow_id));
  return waiting.flatMap((row) => {
    const facts = factsByName(row.name);
    return facts && !startedIds.has(row.workflowId) ? [presentWaiting(facts, row)] : [];
  });
}

/**
 * Ignores an outage of Temporal when only processes with the status `waiting` are listed, because they come from the
 * database.
 */
const unlessWaiting = (status: Status | undefined) => (error: unknown) => {
  if (status !== 'waiting' || !(error instanceof TemporalUnavailable)) throw error;
  return null;
};

const NO_INTENTS = { intents: [], complete: true };

/**
 * The lost processes that a list shows. A lost process that Temporal still lists is shown among Temporal's results
 * instead, unless only stuck processes are requested.
 */
interface LostRows {
  rows: Row[];
  isForgotten(workflowId: string): boolean;
  isLost(workflowId: string): boolean;
}

function lostRows(processes: LostProcess[], status: Status | undefined, stuck: boolean | undefined): LostRows {
  const rows = processes.flatMap(({ intent, execution }) => {
    const facts = factsByName(intent.name);
    if (!facts || stuck === false || (execution && !stuck)) return [];
    const row = execution ? presentExecution(facts, execution, 'no_process') : presentWaiting(facts, asWaiting(intent));
    return status === undefined || row.status === status ? [row] : [];
  });
  const ids = new Map(processes.map(({ intent, execution }) => [intent.workflowId, execution]));
  // Temporal's lists are updated late, so they may still contain a process whose execution is gone. `isForgotten`
  // recognizes such a process.
  return { rows, isForgotten: (id) => ids.get(id) === null, isLost: (id) => ids.has(id) };
}

interface ListResult {
  count: number;
  results: Row[];
  complete: boolean;
}

async function listRest(
  { status, ...filters }: Omit<ExecutionFilters, 'status'> & { status?: Status | undefined },
  stuck: boolean | undefined,
  lost: LostRows,
  slice: Slice,
): Promise<ListResult> {
  const inTemporal =
    status === 'waiting'
      ? { parts: [], complete: true }
      : stuck === undefined
        ? { parts: [partOf({ ...filters, status }, lost)], complete: true }
        : await partsByStuck({ ...filters, status }, stuck, lost);
  const first: Part = async (offset, limit) => ({
    count: lost.rows.length,
    results: lost.rows.slice(offset, offset + limit),
  });
  const results: Row[] = [];
  let count = 0;
  for (const part of [first, ...inTemporal.parts]) {
    const slicePart = await part(Math.max(0, slice.offset - count), slice.limit - results.length);
    results.push(...slicePart.results);
    count += slicePart.count;
  }
  return { count, results, complete: inTemporal.complete };
}

type Parts = { parts: Part[]; complete: boolean };

/**
 * Returns the parts of the list with only stuck processes, or with only the others. A query finds overdue processes by
 * age; other running ones are described one by one, up to `MAX_EXAMINED`.
 */
async function partsByStuck(filters: ExecutionFilters, stuck: boolean, lost: LostRows): Promise<Parts> {
  const includesRunning = filters.status === undefined || filters.status === 'running';
  const running = { ...filters, status: 'running' as const };
  const now = new Date();
  const timely = includesRunning
    ? await listExecutions(visibilityQuery(running, timelyCondition(PROCESS_KINDS, now)), MAX_EXAMINED + 1)
    : [];
  const examined = (await examine(timely.slice(0, MAX_EXAMINED), filters, lost)).filter((row) => row.stuck === stuck);
  const parts: Part[] = [
    async (offset, limit) => ({ count: examined.length, results: examined.slice(offset, offset + limit) }),
  ];
  if (stuck && includesRunning) parts.push(partOf(running, lost, overdueCondition(PROCESS_KINDS, now)));
  if (!stuck && filters.status !== 'running')
    parts.push(withoutStuck(partOf(filters, lost, "ExecutionStatus != 'Running'")));
  return { parts, complete: timely.length <= MAX_EXAMINED };
}

const withoutStuck =
  (part: Part): Part =>
  async (offset, limit) => {
    const { count, results } = await part(offset, limit);
    return { count, results: results.filter((row) => !row.stuck) };
  };

function partOf(filters: ExecutionFilters, lost: LostRows, ...more: string[]): Part {
  const query = visibilityQuery(filters, ...more);
  return async (offset, limit) => {
    const { executions, count } = await listLatest(query, offset, limit);
    return { count, results: await examine(executions, filters, lost) };
  };
}

/**
 * Determines for each process whether it is stuck; running processes are described one by one for this. Drops processes
 * that are out of scope, since Temporal's lists may be out of date.
 */
async function examine(list: Execution[], filters: ExecutionFilters, lost: LostRows): Promise<Row[]> {
  const described = await describeExecutions(list.filter(({ status }) => status === 'running'));
  const overdue = await findOverdueSubjects(list);
  return list.flatMap((execution) => {
    const facts = factsByName(execution.name);
    if (!facts || !isInScope(filters, execution) || lost.isForgotten(execution.workflowId)) return [];
    const now = described.get(execution.runId);
    const isOverdue = overdue.has(execution.subjectId ?? '');
    const stuck = now ? stuckReason(facts, now, isOverdue) : lost.isLost(execution.workflowId) ? 'no_process' : null;
    return [presentExecution(facts, { ...execution, startedAt: now?.firstStartedAt ?? execution.startedAt }, stuck)];
  });
}
