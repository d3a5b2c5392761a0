/**
 * Transactional outbox: a change is committed together with the intents to start the processes that it causes. The
 * intents are dispatched to Temporal after the commit, and retried until that succeeds.
 */
import { type ProcessContract, processByName } from '../../workflows/contracts/index.js';
import type { ContractInput } from '../../workflows/contracts/startOptions.js';
import { currentTraceparent, inSpan, traceOf } from '../tracing.js';
import { currentScope } from './connection.js';
import { countDispatch } from './metrics.js';
import { currentOrganization, rows, type Statement } from './rows.js';
import { runPlatformPipelined } from './pipelinedTransaction.js';
import { inPlatform } from './tenancy.js';
import { uuidv7 } from './uuid.js';

/** An intent as it is sent to Temporal. Its input contains only ids. */
interface OutboxMessage {
  id: string;
  organizationId: string | null;
  process: string;
  workflowId: string;
  input: Record<string, string>;
  signal: string | null;
  requestId: string | null;
  attempts: number;
  traceparent: string | null;
}

/**
 * For this long after a row is written, only the request that wrote it dispatches it. After that the relay may claim
 * the row.
 */
const REQUEST_DISPATCH_WINDOW = '5 seconds';
const LEASE = '30 seconds';
/** Number of rows that are dispatched at the same time. */
const DISPATCH_CONCURRENCY = 10;
/**
 * If Temporal rejects a dispatch, it does so within this time. If all dispatches of a batch fail more slowly, Temporal
 * is down.
 */
const TIMEOUT_THRESHOLD_MS = 1_000;

const COLUMNS = `id, organization_id AS "organizationId", process, workflow_id AS "workflowId", input, signal,
  request_id AS "requestId", attempts, traceparent`;

/**
 * Writes the intent to start a process, or to signal it if `signal` is given. Uses the caller's transaction. The intent
 * belongs to the tenant of the transaction, or to no tenant if the contract says so.
 */
export async function enqueue<Contract extends ProcessContract>(
  contract: Contract,
  fields: Omit<ContractInput<Contract>, 'organizationId'>,
  options: { signal?: string | null } = {},
): Promise<string> {
  const { workflowId, statement } = enqueueStatement(contract, fields, options);
  await rows(statement.text, statement.values);
  return workflowId;
}

/**
 * Builds the statement of `enqueue`, for callers that send it in a pipeline. If the statement is not run, the
 * transaction must be rolled back.
 */
export function enqueueStatement<Contract extends ProcessContract>(
  contract: Contract,
  fields: Omit<ContractInput<Contract>, 'organizationId'>,
  { signal = null }: { signal?: string | null } = {},
): { workflowId: string; statement: Statement } {
  const { id, workflowId, values } = intentOf(contract, fields, signal);
  currentScope().enqueued.push(id);
  return { workflowId, statement: { text: ENQUEUE, values } };
}

/**
 * Builds an INSERT that writes the intent once for the row of a query, for a CTE of a statement that decides whether the
 * process is needed.
 * @param source SQL of a FROM clause, with one row or none
 * @param parameters the number of parameters that the statement has without these values
 */
export function enqueueFrom<Contract extends ProcessContract>(
  contract: Contract,
  fields: Omit<ContractInput<Contract>, 'organizationId'>,
  source: string,
  parameters: number,
): { text: string; values: unknown[]; confirm: () => void } {
  const { id, values } = intentOf(contract, fields, null);
  return {
    text: `${INTO_OUTBOX} SELECT ${outboxValues(parameters + 1)} FROM ${source}`,
    values,
    /** Makes the current request dispatch the intent. Call it if the statement has written it. */
    confirm: () => void currentScope().enqueued.push(id),
  };
}

function intentOf<Contract extends ProcessContract>(
  contract: Contract,
  fields: Omit<ContractInput<Contract>, 'organizationId'>,
  signal: string | null,
): { id: string; workflowId: string; values: unknown[] } {
  const input = { ...fields, organizationId: contract.seenBy === 'platform' ? null : currentOrganization() };
  const scope = currentScope();
  const workflowId = contract.workflowId(input);
  const id = uuidv7();
  const values = [
    id,
    input.organizationId,
    contract.name,
    workflowId,
    JSON.stringify(input),
    signal,
    scope.origin.requestId,
    scope.dispatches ? REQUEST_DISPATCH_WINDOW : '0',
    currentTraceparent(),
  ];
  return { id, workflowId, values };
}

const INTO_OUTBOX = `
  INSERT INTO outbox (id, organization_id, process, workflow_id, input, signal, request_id, not_before, traceparent)`;

/** SQL of the values of `intentOf`, whose first parameter has the number `first`. */
const outboxValues = (first: number): string =>
  ['uuid', 'uuid', 'text', 'text', 'jsonb', 'text', 'text', 'interval', 'text']
    .map((type, n) => `${type === 'interval' ? 'now() + ' : ''}$${first + n}::${type}`)
    .join(', ');

const ENQUEUE = `${INTO_OUTBOX} VALUES (${outboxValues(1)})`;

/**
 * Makes the current request dispatch intents that a database trigger has enqueued in this transaction. Without this
 * call, only the relay would dispatch them.
 */
export async function dispatchTriggered(workflowIds: readonly string[]): Promise<void> {
  const intents = await rows<{ id: string }>(
    `UPDATE outbox SET not_before = now() + $2::interval WHERE workflow_id = ANY ($1) AND dispatched_at IS NULL RETURNING id`,
    [workflowIds, REQUEST_DISPATCH_WINDOW],
  );
  const scope = currentScope();
  if (scope.dispatches) scope.enqueued.push(...intents.map(({ id }) => id));
}

export type Dispatch = (contract: ProcessContract, message: OutboxMessage) => Promise<void>;

/** Dispatches rows that the caller has just committed. The relay retries failed dispatches. */
export async function dispatchWritten(ids: string[], dispatch: Dispatch): Promise<void> {
  const query = `SELECT ${COLUMNS} FROM outbox WHERE id = ANY($1) AND dispatched_at IS NULL`;
  const [messages] = await runPlatformPipelined([{ text: query, values: [ids] }]);
  await dispatchAll(messages as unknown as OutboxMessage[], dispatch);
}

/** How many rows a sweep of the outbox claimed and dispatched. */
export interface Sweep {
  claimed: number;
  dispatched: number;
}

/** Which due rows a sweep claims: all, or only debounced signals (`app.enqueue_soon`). */
export type SweepScope = 'all' | 'joined';

/** Claims up to `limit` waiting rows under a lease and dispatches them. */
export async function dispatchWaiting(limit: number, dispatch: Dispatch, scope: SweepScope = 'all'): Promise<Sweep> {
  const messages = await inPlatform(() =>
    rows<OutboxMessage>(
      `UPDATE outbox SET not_before = now() + $2::interval
        WHERE id IN (SELECT id FROM outbox WHERE dispatched_at IS NULL AND not_before <= now() AND ($3 OR signal = 'due')
                      ORDER BY not_before, id LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING ${COLUMNS}`,
      [limit, LEASE, scope === 'all'],
    ),
  );
  return { claimed: messages.length, dispatched: await dispatchAll(messages, dispatch) };
}

/** Dispatches rows in the order of their ids, a few at a time. @returns the number of dispatched rows */
async function dispatchAll(messages: OutboxMessage[], dispatch: Dispatch): Promise<number> {
  let dispatched = 0;
  // Sorts by id, because UPDATE returns rows in no particular order.
  const inOrder = messages.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  for (let at = 0; at < inOrder.length; at += DISPATCH_CONCURRENCY) {
    const batch = inOrder.slice(at, at + DISPATCH_CONCURRENCY);
    const startedAt = performance.now();
    const problems = await Promise.all(batch.map((message) => tryDispatch(message, dispatch)));
    const tookMs = performance.now() - startedAt;
    await recordOutcomes(batch.map(({ id }, index) => ({ id, problem: problems[index] ?? null })));
    const done = problems.filter((problem) => problem === null).length;
    dispatched += done;
    // All dispatches of the batch failed slowly, so Temporal is down. Stops here; the remaining rows are claimed again
    // when their lease ends.
    if (done === 0 && tookMs > TIMEOUT_THRESHOLD_MS) break;
  }
  return dispatched;
}

/**
 * Dispatches one row.
 * @returns null on success, otherwise the name of the error
 */
async function tryDispatch(message: OutboxMessage, dispatch: Dispatch): Promise<string | null> {
  const { process, organizationId, requestId, traceparent } = message;
  const facts = { process, ...(organizationId && { organizationId }), ...(requestId && { requestId }) };
  try {
    await inSpan(
      `dispatch ${process}`,
      facts,
      async () => dispatch(processByName(process), message),
      traceOf(traceparent),
    );
    countDispatch('dispatched');
    return null;
  } catch (error) {
    countDispatch('failed');
    return error instanceof Error ? error.name.slice(0, 200) : 'unknown';
  }
}

/**
 * Records the outcomes of dispatches. After each failure a row waits longer before the next attempt, up to a minute.
 */
async function recordOutcomes(outcomes: { id: string; problem: string | null }[]): Promise<void> {
  const values = [outcomes.map(({ id }) => id), outcomes.map(({ problem }) => problem)];
  await runPlatformPipelined([{ text: RECORD_OUTCOMES, values }]);
}

const RECORD_OUTCOMES = `
  UPDATE outbox o SET
    dispatched_at = CASE WHEN given.problem IS NULL THEN now() END,
    last_error = given.problem,
    attempts = o.attempts + (given.problem IS NOT NULL)::int,
    not_before = CASE WHEN given.problem IS NULL THEN o.not_before
                      ELSE now() + least(60, power(2, least(o.attempts, 6))) * interval '1 second' END
   FROM unnest($1::uuid[], $2::text[]) AS given (id, problem)
  WHERE o.id = given.id AND o.dispatched_at IS NULL`;
