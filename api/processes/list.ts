/**
 * Lists processes. Stuck ones, and those that have not started, come from the database; all others from Temporal. Each
 * running process on the requested page is described.
 */
import type { z } from 'zod';
import { describeExecutions, describeLatest } from '../../gateways/temporal/processes/describe.js';
import type { Execution } from '../../gateways/temporal/processes/execution.js';
import { MAX_DEPTH, listLatest } from '../../gateways/temporal/processes/list.js';
import { type ExecutionFilters, visibilityQuery } from '../../gateways/temporal/processes/query.js';
import { inPlatform } from '../../models/database/tenancy.js';
import { invalid, refuse } from '../../models/errors.js';
import { listIncidentIds, readIncidents } from '../../models/processes/incidents.js';
import { listStuck, listWaiting, type StuckProcess, type WaitingProcess } from '../../models/processes/waiting.js';
import { isInScope, type Scope } from '../../services/processes/findProcess.js';
import { asWaiting } from '../../services/processes/lost.js';
import { stuckReason } from '../../services/processes/stuck.js';
import { factsByKind, factsByName } from '../../workflows/contracts/index.js';
import { findOverdueSubjects } from '../../models/processes/overdueRows.js';
import { presentPage } from '../http/pagination.js';
import { AfterCommit, type RequestFacts } from '../http/routes.js';
import { presentRows } from './presentRows.js';
import { type ProcessRow, rowOfExecution, rowOfWaiting } from './present.js';
import { withTemporal } from './reach.js';
import type { ProcessFilters } from './schema.js';

interface Viewer {
  isPlatformAdmin: boolean;
}

interface Slice {
  offset: number;
  limit: number;
}

type Query = z.output<typeof ProcessFilters>;
type Filters = Omit<ExecutionFilters, 'status'>;
type Read = () => Promise<{ count: number; results: ProcessRow[] }>;

/**
 * Lists the processes in scope.
 * @throws Refusal validation_error for a page beyond the maximum depth of lists, page_not_found
 */
export async function listProcesses(scope: Scope, query: Query, request: RequestFacts, viewer: Viewer) {
  const slice = sliceOf(query);
  const read = await beginList(scope, query);
  return new AfterCommit(() =>
    withTemporal(async () => {
      const { count, results } = await read();
      if (query.page > 1 && slice.offset >= count) throw refuse.page_not_found();
      const presented = await presentRows(results, viewer);
      const page = presentPage({ count, results: presented }, query, request, (row) => row);
      return {
        ...page,
        next: isTooDeep(slice.offset + slice.limit, slice.limit) ? null : page.next,
        complete: true,
      };
    }),
  );
}

/**
 * Reads the part of a page that is in the database, in the open transaction.
 * @returns a function that reads the page; call it outside of any transaction
 * @throws Refusal validation_error for a page beyond the maximum depth of lists
 */
export async function beginList(scope: Scope, query: Query): Promise<Read> {
  const slice = sliceOf(query);
  const filters: Filters = {
    ...scope,
    kind: query.kind,
    subjectId: query.subject,
    chapterId: query.chapter,
    startedAfter: dateOf(query.started_after),
    startedBefore: dateOf(query.started_before),
  };
  return (query.stuck ? stuckOnly : notOnlyStuck)(filters, query, slice);
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

/** Reads the list of stuck processes from the database; the returned function describes those on the page. */
async function stuckOnly(filters: Filters, { status }: Query, slice: Slice): Promise<Read> {
  const { count, results } = await listStuck({ ...filters, status }, slice);
  return async () => {
    const ids = status === 'waiting' ? [] : results.flatMap(({ incident }) => incident?.workflowId ?? []);
    const current = await describeLatest(ids);
    const overdue = await findOverdueSubjects([...current.values()]);
    return { count, results: results.flatMap((found) => stuckRow(found, current, overdue)) };
  };
}

function stuckRow(
  { incident, waiting }: StuckProcess,
  current: Awaited<ReturnType<typeof describeLatest>>,
  overdue: ReadonlySet<string>,
): ProcessRow[] {
  if (waiting) return waitingRow(waiting);
  const { workflowId, organizationId, input, kind, reason, startedAt } = incident;
  const facts = factsByKind(kind);
  const now = current.get(workflowId);
  if (!facts) return [];
  if (!now) {
    const intent = { workflowId, organizationId, name: facts.name, input: input as Record<string, string> };
    return waitingRow(asWaiting({ ...intent, createdAt: startedAt }));
  }
  const isOverdue = overdue.has(now.subjectId ?? '');
  const stuck =
    now.status === 'running'
      ? stuckReason(facts, now, { isOverdue, recorded: reason })
      : reason === 'no_process'
        ? reason
        : null;
  return [rowOfExecution(facts, { ...now, startedAt: now.firstStartedAt }, stuck, input)];
}

function waitingRow(waiting: WaitingProcess): ProcessRow[] {
  const facts = factsByName(waiting.name);
  return facts ? [rowOfWaiting(facts, waiting)] : [];
}

/** Reads waiting processes from the database; the returned function reads the others from Temporal. */
async function notOnlyStuck(filters: Filters, { status, stuck }: Query, slice: Slice): Promise<Read> {
  const inDatabase = status === undefined || status === 'waiting' || status === 'cancelled';
  const waiting = inDatabase ? await listWaiting({ ...filters, status, stuck }, slice) : { count: 0, results: [] };
  const excluded = stuck === false ? await listIncidentIds(filters.organizationId) : new Set<string>();
  const rows = waiting.results.flatMap(waitingRow);
  return async () => {
    if (status === 'waiting') return { count: waiting.count, results: rows };
    const offset = Math.max(0, slice.offset - waiting.count);
    const limit = slice.limit - waiting.results.length;
    const query = visibilityQuery({ ...filters, status });
    const { executions, count } = await listLatest(query, offset, limit, excluded);
    const started = await examine(executions, filters);
    // The dispatcher may not have marked the intent of a started process as dispatched yet.
    const startedIds = new Set(started.map(({ workflowId }) => workflowId));
    const results = [...rows.filter(({ workflowId }) => !startedIds.has(workflowId)), ...started];
    return { count: waiting.count + count, results };
  };
}

/**
 * Determines for each process whether it is stuck; running processes are described one by one for this. Drops processes
 * that are out of scope or gone from Temporal, since Temporal's lists may be out of date.
 */
async function examine(list: Execution[], filters: Filters): Promise<ProcessRow[]> {
  const described = await describeExecutions(list.filter(({ status }) => status === 'running'));
  const overdue = await findOverdueSubjects(list);
  const ids = list.map(({ workflowId }) => workflowId);
  const incidents = await (ids.length === 0 ? new Map() : inPlatform(() => readIncidents(ids), { readOnly: true }));
  return list.flatMap((execution) => {
    const facts = factsByName(execution.name);
    const incident = incidents.get(execution.workflowId);
    const now = described.get(execution.runId);
    if (!facts || !isInScope(filters, execution) || (!now && incident?.status === 'waiting')) return [];
    const isOverdue = overdue.has(execution.subjectId ?? '');
    const recorded = incident?.reason ?? null;
    const stuck = now ? stuckReason(facts, now, { isOverdue, recorded }) : recorded === 'no_process' ? recorded : null;
    const startedAt = now?.firstStartedAt ?? execution.startedAt;
    return [rowOfExecution(facts, { ...execution, startedAt }, stuck, incident?.input)];
  });
}
