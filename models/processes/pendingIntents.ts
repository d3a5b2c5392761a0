/**
 * Finds rows whose process should be running, regardless of what Temporal knows about it. Recovery starts lost
 * processes from these rows.
 */
import { type ProcessContract, processByName, PROCESSES } from '../../workflows/contracts/index.js';
import { rows } from '../database/rows.js';

export interface PendingIntent {
  /** The workflow type. */
  name: string;
  organizationId: string | null;
  /** Id of the row that waits for its process; it is the last id in the workflow id. */
  rowId: string;
  input: Record<string, string>;
  workflowId: string;
  createdAt: string;
}

export interface IntentFilters {
  /** Only rows of this organization. Null: rows of all organizations and of the platform. */
  organizationId: string | null;
  /** Selects the kinds of processes to include. Absent: all kinds. */
  accepts?: (contract: ProcessContract) => boolean;
  rowId?: string | null;
  /** Cursor: rows after this id. */
  after?: string | null;
  limit: number;
}

/** Younger intents may still be on their way to Temporal, so only older ones are checked for a running process. */
const MIN_AGE = '2 minutes';

/**
 * Lists rows that have waited for their process for longer than a dispatch takes, ordered by id. Needs no tenant,
 * because the organization is a parameter.
 */
export async function listPendingIntents({
  organizationId,
  accepts = () => true,
  rowId = null,
  after = null,
  limit,
}: IntentFilters): Promise<PendingIntent[]> {
  const contracts = PROCESSES.filter((contract) => contract.recoveredBy === 'rows' && accepts(contract));
  const intents = await rows<Omit<PendingIntent, 'workflowId'>>(
    `SELECT process AS name, organization_id AS "organizationId", row_id AS "rowId", input, to_json(since)#>>'{}' AS "createdAt"
       FROM app.pending_intents($1, $2, $3, $4, $5, $6)`,
    [contracts.map(({ name }) => name), organizationId, rowId, MIN_AGE, after, limit],
  );
  return intents.map((row) => ({ ...row, workflowId: workflowIdOf(row.name, row.input) }));
}

const workflowIdOf = (name: string, input: PendingIntent['input']): string =>
  processByName(name).workflowId(input as never);

/**
 * Orders intents round-robin by organization, each organization's most urgent first, so that many lost processes of one
 * organization do not delay the rest.
 */
export function interleaveByOrganization(intents: PendingIntent[]): PendingIntent[] {
  const turnsByOrganization = new Map<string | null, number>();
  const byPriority = intents.toSorted((a, b) => processByName(a.name).priority - processByName(b.name).priority);
  const turns = byPriority.map((intent) => {
    const turn = turnsByOrganization.get(intent.organizationId) ?? 0;
    turnsByOrganization.set(intent.organizationId, turn + 1);
    return { intent, turn };
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ intent }) => intent);
}

/**
 * Removes intents that still wait in the outbox, because the relay will dispatch them.
 * @returns the remaining intents
 */
export async function withoutUndispatched(intents: PendingIntent[]): Promise<PendingIntent[]> {
  const ids = intents.map(({ workflowId }) => workflowId);
  if (ids.length === 0) return intents;
  const waiting = await rows<{ id: string }>(
    'SELECT workflow_id AS id FROM outbox WHERE workflow_id = ANY($1) AND dispatched_at IS NULL',
    [ids],
  );
  const inOutbox = new Set(waiting.map(({ id }) => id));
  return intents.filter(({ workflowId }) => !inOutbox.has(workflowId));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the id of the row that a process is about: the last id in its workflow id. */
export const rowIdOf = (workflowId: string): string | null =>
  workflowId.split('/').findLast((part) => UUID.test(part)) ?? null;

/** Returns those of the workflows for which a row is pending, in one statement. Needs no tenant. */
export async function pendingAmong(workflowIds: readonly string[]): Promise<Set<string>> {
  const rowIds = workflowIds.map(rowIdOf).filter((id) => id !== null);
  if (rowIds.length === 0) return new Set();
  const names = PROCESSES.filter(({ recoveredBy }) => recoveredBy === 'rows').map(({ name }) => name);
  const intents = await rows<{ name: string; input: PendingIntent['input'] }>(
    `SELECT p.process AS name, p.input FROM (SELECT DISTINCT unnest($2::uuid[]) AS id) given
      CROSS JOIN LATERAL app.pending_intents($1, NULL, given.id, $3, NULL, $4) p`,
    [names, rowIds, MIN_AGE, PROCESSES.length],
  );
  const pending = new Set(intents.map(({ name, input }) => workflowIdOf(name, input)));
  return new Set(workflowIds.filter((id) => pending.has(id)));
}

/**
 * Finds the pending intent of this workflow.
 * @returns null when no row of this organization waits for it
 */
export async function findPendingIntent(
  workflowId: string,
  organizationId: string | null,
): Promise<PendingIntent | null> {
  const rowId = rowIdOf(workflowId);
  if (rowId === null) return null;
  const intents = await listPendingIntents({ organizationId, rowId, limit: PROCESSES.length });
  return intents.find((intent) => intent.workflowId === workflowId) ?? null;
}
