/** Facts and the processes they start are committed together; dispatch comes after, and again until it is done. */
import { type ProcessContract, processByName } from '../../workflows/contracts/index.js';
import { currentScope } from './connection.js';
import { currentOrganization, oneRow, rows } from './rows.js';
import { inPlatform } from './tenancy.js';

/** What is handed to Temporal: ids only. */
interface OutboxMessage {
  id: string;
  organizationId: string;
  process: string;
  workflowId: string;
  input: Record<string, string>;
  signal: string | null;
  requestId: string | null;
  attempts: number;
}

/** How long the request that wrote a row has for dispatching it itself, before the relay may take it. */
const OWN_DISPATCH = '5 seconds';
const LEASE = '30 seconds';

const COLUMNS = `id, organization_id AS "organizationId", process, workflow_id AS "workflowId", input, signal,
  request_id AS "requestId", attempts`;

/**
 * Writes the intent to start a process (or to signal it, when `signal` is given) in the open transaction.
 * @returns the workflow's id
 */
export async function enqueue<Input extends object>(
  contract: ProcessContract<Input>,
  input: Omit<Input, 'organizationId'>,
  { signal = null }: { signal?: string | null } = {},
): Promise<string> {
  const scope = currentScope();
  const whole = { ...input, organizationId: currentOrganization() } as unknown as Input;
  const workflowId = contract.workflowId(whole);
  const { id } = await oneRow<{ id: string }>(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, signal, request_id, not_before)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7::interval) RETURNING id`,
    [
      scope.organizationId,
      contract.name,
      workflowId,
      JSON.stringify(whole),
      signal,
      scope.origin.requestId,
      scope.origin.requestId ? OWN_DISPATCH : '0',
    ],
  );
  scope.enqueued.push(id);
  return workflowId;
}

export type Dispatch = (contract: ProcessContract<never>, message: OutboxMessage) => Promise<void>;

/** Dispatches rows that the caller has just committed. What fails is left to the relay. */
export async function dispatchWritten(ids: string[], dispatch: Dispatch): Promise<void> {
  const messages = await inPlatform(() =>
    rows<OutboxMessage>(`SELECT ${COLUMNS} FROM outbox WHERE id = ANY($1) AND dispatched_at IS NULL`, [ids]),
  );
  await dispatchAll(messages, dispatch);
}

/** Takes up to `limit` waiting rows under a lease and dispatches them. @returns how many it took */
export async function dispatchWaiting(limit: number, dispatch: Dispatch): Promise<number> {
  const messages = await inPlatform(() =>
    rows<OutboxMessage>(
      `UPDATE outbox SET not_before = now() + $2::interval
        WHERE id IN (SELECT id FROM outbox WHERE dispatched_at IS NULL AND not_before <= now()
                      ORDER BY not_before, id LIMIT $1 FOR UPDATE SKIP LOCKED)
        RETURNING ${COLUMNS}`,
      [limit, LEASE],
    ),
  );
  await dispatchAll(messages, dispatch);
  return messages.length;
}

async function dispatchAll(messages: OutboxMessage[], dispatch: Dispatch): Promise<void> {
  const done: string[] = [];
  for (const message of messages) {
    try {
      await dispatch(processByName(message.process), message);
      done.push(message.id);
    } catch (error) {
      await postpone(message, error instanceof Error ? error.name : 'unknown');
    }
  }
  if (done.length > 0) {
    await inPlatform(() =>
      rows('UPDATE outbox SET dispatched_at = now(), last_error = NULL WHERE id = ANY($1)', [done]),
    );
  }
}

/** Waits longer after each failure, up to a minute. */
async function postpone(message: OutboxMessage, problem: string): Promise<void> {
  await inPlatform(() =>
    rows(
      `UPDATE outbox SET attempts = attempts + 1, last_error = $2,
              not_before = now() + least(60, power(2, least(attempts, 6))) * interval '1 second'
        WHERE id = $1`,
      [message.id, problem.slice(0, 200)],
    ),
  );
}
