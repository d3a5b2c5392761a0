/** Lists processes: running ones first, then ended ones by their end, newest first. */
import { callTemporal } from './callTemporal.js';
import { type Execution, executionOf } from './execution.js';
import { canBeLiteral, literal, STATES } from './query.js';

/** Maximum number of executions that are read for a list, which is the size of one response of the server. */
export const MAX_DEPTH = 1_000;

/** The number of ids in one query. */
const IDS_PER_QUERY = 100;

/** Returns the first `upTo` executions of a query, at most MAX_DEPTH. */
const listExecutions = (query: string, upTo: number): Promise<Execution[]> =>
  callTemporal(async ({ workflow }) => {
    const limit = Math.min(upTo, MAX_DEPTH);
    const executions: Execution[] = [];
    if (limit === 0) return executions;
    for await (const info of workflow.list({ query, pageSize: limit })) {
      executions.push(executionOf(info));
      if (executions.length === limit) break;
    }
    return executions;
  });

/** How long reading a whole list may take, page by page. */
const WHOLE_LIST_MS = 60_000;

/** Returns all executions of a query. It may take a minute, so requests do not call it. */
export const listAllExecutions = (query: string): Promise<Execution[]> =>
  callTemporal(async ({ workflow }) => {
    const executions: Execution[] = [];
    for await (const info of workflow.list({ query, pageSize: MAX_DEPTH })) executions.push(executionOf(info));
    return executions;
  }, WHOLE_LIST_MS);

const countExecutions = (query: string): Promise<number> =>
  callTemporal(async ({ workflow }) => (await workflow.count(query)).count);

const NONE: ReadonlySet<string> = new Set();

export interface LatestRuns {
  executions: Execution[];
  /**
   * The number of processes. If not all executions were read, this is an upper bound, because several runs of one
   * process may be counted.
   */
  count: number;
}

/**
 * Returns a part of the list of processes that match a query, each with its latest run only. If too few processes
 * remain after earlier runs are removed, reads again up to the maximum depth. Reads one process more than requested, so
 * that the count shows whether there are more.
 * @param excluded workflow ids that are left out
 */
export async function listLatest(
  query: string,
  offset: number,
  limit: number,
  excluded: ReadonlySet<string> = NONE,
): Promise<LatestRuns> {
  const requiredCount = offset + limit + 1;
  let latest: Execution[] = [];
  for (const upTo of new Set([Math.min(requiredCount, MAX_DEPTH), MAX_DEPTH])) {
    const read = await listExecutions(query, upTo);
    latest = await latestOnly(read.filter(({ workflowId }) => !excluded.has(workflowId)));
    if (read.length < upTo) return { executions: latest.slice(offset, offset + limit), count: latest.length };
    if (latest.length >= requiredCount) break;
  }
  return { executions: latest.slice(offset, offset + limit), count: await countExecutions(query) };
}

/** Keeps only the latest run of each process: removes runs after which another run with the same id was started. */
async function latestOnly(list: Execution[]): Promise<Execution[]> {
  const ended = list.filter(({ closedAt }) => closedAt !== null).map(({ workflowId }) => workflowId);
  const queriedIds = [...new Set(ended)].filter(canBeLiteral);
  const runs: Execution[] = [];
  for (let at = 0; at < queriedIds.length; at += IDS_PER_QUERY)
    runs.push(...(await runsOf(queriedIds.slice(at, at + IDS_PER_QUERY))));
  const latest = new Map<string, Execution>();
  for (const run of [...list, ...runs]) {
    const candidate = latest.get(run.workflowId);
    if (!candidate || candidate.startedAt < run.startedAt) latest.set(run.workflowId, run);
  }
  return list.filter(({ workflowId, runId }) => latest.get(workflowId)?.runId === runId);
}

/** The number of concurrent queries. */
const CONCURRENCY = 5;

/**
 * Returns which of these processes are running, with a hundred ids in a query. Lists are delayed: a process that has
 * just ended may be included, and one that has just started may be missing.
 */
export async function runningAmong(workflowIds: readonly string[]): Promise<Set<string>> {
  const queriedIds = workflowIds.filter(canBeLiteral);
  const batches = Array.from({ length: Math.ceil(queriedIds.length / IDS_PER_QUERY) }, (_, n) =>
    queriedIds.slice(n * IDS_PER_QUERY, (n + 1) * IDS_PER_QUERY),
  );
  const running = new Set<string>();
  for (let at = 0; at < batches.length; at += CONCURRENCY) {
    const executionLists = await Promise.all(batches.slice(at, at + CONCURRENCY).map(runningOf));
    for (const { workflowId } of executionLists.flat()) running.add(workflowId);
  }
  return running;
}

const runningOf = (workflowIds: string[]): Promise<Execution[]> =>
  listExecutions(
    `WorkflowId IN (${workflowIds.map(literal).join(', ')}) AND ExecutionStatus = '${STATES.running}'`,
    MAX_DEPTH,
  );

const runsOf = (workflowIds: string[]): Promise<Execution[]> =>
  listExecutions(
    `WorkflowId IN (${workflowIds.map(literal).join(', ')}) AND ExecutionStatus != 'ContinuedAsNew'`,
    MAX_DEPTH,
  );
