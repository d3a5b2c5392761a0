/** Lists of processes, from two sides: what waits for its start is in the database, the rest in Temporal; rows say what is lost. */
import type { z } from 'zod';
import { TemporalUnavailable } from '../../gateways/temporal/processes/ask.js';
import { describeExecutions } from '../../gateways/temporal/processes/describe.js';
import type { Execution } from '../../gateways/temporal/processes/execution.js';
import { DEEPEST, listExecutions, listLatest } from '../../gateways/temporal/processes/list.js';
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
import { asWaiting, findLost, type LostProcess, readIntents } from './lost.js';
import { presentExecution, presentWaiting, type Status } from './present.js';
import { isInScope, type Scope, withTemporal } from './reach.js';
import type { ProcessFilters } from './schema.js';
import { stuckReason } from './stuck.js';

/** Running processes that the `stuck` filter looks into one by one, besides those that are old. */
const MOST_EXAMINED = 300;

type Row = ReturnType<typeof presentExecution>;

/** A part of the list, by its slices and how long it is: parts follow one another. */
type Part = (offset: number, limit: number) => Promise<{ count: number; results: Row[] }>;

interface Slice {
  offset: number;
  limit: number;
}

/** Lists what is in scope. @throws Refusal validation_error for a page that lies deeper than lists go, page_not_found */
export async function listProcesses(scope: Scope, query: z.output<typeof ProcessFilters>, request: RequestFacts) {
  const { kind, status, stuck, subject: subjectId } = query;
  const slice = sliceOf(query);
  const [startedAfter, startedBefore] = [dateOf(query.started_after), dateOf(query.started_before)];
  const filters = { organizationId: scope, kind, subjectId, startedAfter, startedBefore };
  const inDatabase = status === undefined || status === 'waiting' || status === 'cancelled';
  const waiting = inDatabase ? await listWaiting({ ...filters, status, stuck }, slice) : { count: 0, results: [] };
  const rows = status === 'running' ? NO_INTENTS : await readIntents(filters);
  return new AfterCommit(() =>
    withTemporal(async () => {
      const left = { offset: Math.max(0, slice.offset - waiting.count), limit: slice.limit - waiting.results.length };
      const found = await findLost(rows.intents).catch(unlessWaiting(status));
      const lost = lostRows(found?.lost ?? [], status, stuck);
      const rest = await listRest({ ...filters, status }, stuck, lost, left);
      const results = [...notStarted(waiting.results, rest.results), ...rest.results];
      const count = waiting.count + rest.count;
      if (query.page > 1 && slice.offset >= count) throw refuse.page_not_found();
      const page = presentPage({ count, results }, query, request, (row) => row);
      return {
        ...page,
        next: isTooDeep(slice.offset + slice.limit, slice.limit) ? null : page.next,
        complete: rest.complete && rows.complete && found?.complete === true,
      };
    }),
  );
}

const dateOf = (text: string | undefined): Date | undefined => (text === undefined ? undefined : new Date(text));

const isTooDeep = (offset: number, limit: number): boolean => offset + limit > DEEPEST;

function sliceOf({ page, page_size: limit }: { page: number; page_size: number }): Slice {
  const offset = (page - 1) * limit;
  if (!isTooDeep(offset, limit)) return { offset, limit };
  throw invalid('page', `Lists go ${DEEPEST} processes deep. Narrow it down, by started_before say.`);
}

/** Intents whose process is there already, and which nobody has ticked off yet, are left out. */
function notStarted(waiting: WaitingProcess[], started: Row[]): Row[] {
  const there = new Set(started.map(({ workflow_id }) => workflow_id));
  return waiting.flatMap((row) => {
    const facts = factsByName(row.name);
    return facts && !there.has(row.workflowId) ? [presentWaiting(facts, row)] : [];
  });
}

/** What waits for its start is listed without Temporal, too. */
const unlessWaiting = (status: Status | undefined) => (error: unknown) => {
  if (status !== 'waiting' || !(error instanceof TemporalUnavailable)) throw error;
  return null;
};

const NO_INTENTS = { intents: [], complete: true };

/** What a list shows of lost processes: those that Temporal still lists are among its own, unless only stuck ones are asked for. */
interface LostRows {
  shown: Row[];
  isForgotten(workflowId: string): boolean;
  isLost(workflowId: string): boolean;
}

function lostRows(found: LostProcess[], status: Status | undefined, stuck: boolean | undefined): LostRows {
  const shown = found.flatMap(({ intent, execution }) => {
    const facts = factsByName(intent.name);
    if (!facts || stuck === false || (execution && !stuck)) return [];
    const row = execution ? presentExecution(facts, execution, 'no_process') : presentWaiting(facts, asWaiting(intent));
    return status === undefined || row.status === status ? [row] : [];
  });
  const ids = new Map(found.map(({ intent, execution }) => [intent.workflowId, execution]));
  // Temporal's lists lag behind: they may name what it has forgotten.
  return { shown, isForgotten: (id) => ids.get(id) === null, isLost: (id) => ids.has(id) };
}

interface Listed {
  count: number;
  results: Row[];
  complete: boolean;
}

async function listRest(
  { status, ...filters }: Omit<ExecutionFilters, 'status'> & { status?: Status | undefined },
  stuck: boolean | undefined,
  lost: LostRows,
  slice: Slice,
): Promise<Listed> {
  const inTemporal =
    status === 'waiting'
      ? { parts: [], complete: true }
      : stuck === undefined
        ? { parts: [partOf({ ...filters, status }, lost)], complete: true }
        : await byTrouble({ ...filters, status }, stuck, lost);
  const first: Part = async (offset, limit) => ({
    count: lost.shown.length,
    results: lost.shown.slice(offset, offset + limit),
  });
  const results: Row[] = [];
  let count = 0;
  for (const part of [first, ...inTemporal.parts]) {
    const found = await part(Math.max(0, slice.offset - count), slice.limit - results.length);
    results.push(...found.results);
    count += found.count;
  }
  return { count, results, complete: inTemporal.complete };
}

type Parts = { parts: Part[]; complete: boolean };

/** Old ones are found by their age; of the others, each is looked into, as far as that goes. */
async function byTrouble(filters: ExecutionFilters, stuck: boolean, lost: LostRows): Promise<Parts> {
  const runs = filters.status === undefined || filters.status === 'running';
  const running = { ...filters, status: 'running' as const };
  const now = new Date();
  const timely = runs
    ? await listExecutions(visibilityQuery(running, timelyCondition(PROCESS_KINDS, now)), MOST_EXAMINED + 1)
    : [];
  const examined = (await examine(timely.slice(0, MOST_EXAMINED), filters, lost)).filter((row) => row.stuck === stuck);
  const parts: Part[] = [
    async (offset, limit) => ({ count: examined.length, results: examined.slice(offset, offset + limit) }),
  ];
  if (stuck && runs) parts.push(partOf(running, lost, overdueCondition(PROCESS_KINDS, now)));
  if (!stuck && filters.status !== 'running')
    parts.push(healthy(partOf(filters, lost, "ExecutionStatus != 'Running'")));
  return { parts, complete: timely.length <= MOST_EXAMINED };
}

const healthy =
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

/** Rows with whether they are stuck: of running ones, each is asked. What a list got wrong about the tenant is left out. */
async function examine(list: Execution[], { organizationId }: ExecutionFilters, lost: LostRows): Promise<Row[]> {
  const described = await describeExecutions(list.filter(({ status }) => status === 'running'));
  return list.flatMap((execution) => {
    const facts = factsByName(execution.name);
    if (!facts || !isInScope(organizationId, execution) || lost.isForgotten(execution.workflowId)) return [];
    const now = described.get(execution.runId);
    const stuck = now ? stuckReason(facts, now) : lost.isLost(execution.workflowId) ? 'no_process' : null;
    return [presentExecution(facts, { ...execution, startedAt: now?.firstStartedAt ?? execution.startedAt }, stuck)];
  });
}
