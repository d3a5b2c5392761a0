/** Lists of processes, running ones first, then those that ended last. */
import { ask } from './ask.js';
import { type Execution, executionOf } from './execution.js';
import { canBeLiteral, literal, STATES } from './query.js';

/** As many as the server gives in one answer: lists go no deeper. */
export const DEEPEST = 1_000;

/** Ids in one query. */
const IDS_AT_ONCE = 100;

/** The first `upTo` of a query, at most DEEPEST. */
export const listExecutions = (query: string, upTo: number): Promise<Execution[]> =>
  ask(async ({ workflow }) => {
    const wanted = Math.min(upTo, DEEPEST);
    const found: Execution[] = [];
    if (wanted === 0) return found;
    for await (const info of workflow.list({ query, pageSize: wanted })) {
      found.push(executionOf(info));
      if (found.length === wanted) break;
    }
    return found;
  });

const countExecutions = (query: string): Promise<number> =>
  ask(async ({ workflow }) => (await workflow.count(query)).count);

export interface LatestRuns {
  executions: Execution[];
  /** All of the query; of a longer list at most so many: earlier runs that lie deeper are in it. */
  count: number;
}

/**
 * A slice of the processes of a query, each by its latest run alone. Reads on where earlier runs leave gaps, as deep as
 * lists go, and one further, so that the count tells whether there are more.
 */
export async function listLatest(query: string, offset: number, limit: number): Promise<LatestRuns> {
  const wanted = offset + limit + 1;
  let latest: Execution[] = [];
  for (const upTo of new Set([Math.min(wanted, DEEPEST), DEEPEST])) {
    const read = await listExecutions(query, upTo);
    latest = await latestOnly(read);
    if (read.length < upTo) return { executions: latest.slice(offset, offset + limit), count: latest.length };
    if (latest.length >= wanted) break;
  }
  return { executions: latest.slice(offset, offset + limit), count: await countExecutions(query) };
}

/** Leaves out runs that another run of the same id has followed. */
async function latestOnly(list: Execution[]): Promise<Execution[]> {
  const ended = list.filter(({ closedAt }) => closedAt !== null).map(({ workflowId }) => workflowId);
  const asked = [...new Set(ended)].filter(canBeLiteral);
  const runs: Execution[] = [];
  for (let at = 0; at < asked.length; at += IDS_AT_ONCE)
    runs.push(...(await runsOf(asked.slice(at, at + IDS_AT_ONCE))));
  const latest = new Map<string, Execution>();
  for (const run of [...list, ...runs]) {
    const known = latest.get(run.workflowId);
    if (!known || known.startedAt < run.startedAt) latest.set(run.workflowId, run);
  }
  return list.filter(({ workflowId, runId }) => latest.get(workflowId)?.runId === runId);
}

/** Queries asked at the same time. */
const AT_ONCE = 5;

/**
 * Those of these processes that run, a hundred by one query. Lists lag behind by a moment: one that has just ended may be
 * among them, and one that has just begun may not.
 */
export async function runningAmong(workflowIds: readonly string[]): Promise<Set<string>> {
  const asked = workflowIds.filter(canBeLiteral);
  const batches = Array.from({ length: Math.ceil(asked.length / IDS_AT_ONCE) }, (_, n) =>
    asked.slice(n * IDS_AT_ONCE, (n + 1) * IDS_AT_ONCE),
  );
  const running = new Set<string>();
  for (let at = 0; at < batches.length; at += AT_ONCE) {
    const found = await Promise.all(batches.slice(at, at + AT_ONCE).map(runningOf));
    for (const { workflowId } of found.flat()) running.add(workflowId);
  }
  return running;
}

const runningOf = (workflowIds: string[]): Promise<Execution[]> =>
  listExecutions(
    `WorkflowId IN (${workflowIds.map(literal).join(', ')}) AND ExecutionStatus = '${STATES.running}'`,
    DEEPEST,
  );

const runsOf = (workflowIds: string[]): Promise<Execution[]> =>
  listExecutions(
    `WorkflowId IN (${workflowIds.map(literal).join(', ')}) AND ExecutionStatus != 'ContinuedAsNew'`,
    DEEPEST,
  );
