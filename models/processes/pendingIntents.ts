/** Rows that wait for a process, whatever became of it: recovery goes by them, not by what Temporal still knows. */
import { type ProcessContract, processByName, PROCESSES } from '../../workflows/contracts/index.js';
import { rows } from '../database/rows.js';

export interface PendingIntent {
  /** The workflow type. */
  name: string;
  organizationId: string | null;
  /** The row that waits: the last id in that of its process. */
  rowId: string;
  input: Record<string, string>;
  workflowId: string;
  createdAt: string;
}

export interface IntentFilters {
  /** null: of every organization, and of none. */
  organizationId: string | null;
  /** Processes that are worth asking about; absent: all. */
  of?: (contract: ProcessContract) => boolean;
  rowId?: string | null;
  /** Rows after this one. */
  after?: string | null;
  limit: number;
}

/** Younger ones are being handed over; only then is it worth asking whether a process lives. */
const HANDOVER = '2 minutes';

/** Rows that have waited for longer than a handover takes, in the order of their ids. Needs no tenant: it is named. */
export async function listPendingIntents({
  organizationId,
  of = () => true,
  rowId = null,
  after = null,
  limit,
}: IntentFilters): Promise<PendingIntent[]> {
  const known = PROCESSES.filter((contract) => contract.recoveredBy === 'rows' && of(contract));
  const found = await rows<Omit<PendingIntent, 'workflowId'>>(
    `SELECT process AS name, organization_id AS "organizationId", row_id AS "rowId", input, to_json(since)#>>'{}' AS "createdAt"
       FROM app.pending_intents($1, $2, $3, $4, $5, $6)`,
    [known.map(({ name }) => name), organizationId, rowId, HANDOVER, after, limit],
  );
  return found.map((row) => ({ ...row, workflowId: workflowIdOf(row.name, row.input) }));
}

const workflowIdOf = (name: string, input: PendingIntent['input']): string =>
  processByName(name).workflowId(input as never);

/** One of each organization in turn, what is most urgent of each first: nobody waits for all that another has lost. */
export function inTurns(intents: PendingIntent[]): PendingIntent[] {
  const before = new Map<string | null, number>();
  const urgent = intents.toSorted((a, b) => processByName(a.name).priority - processByName(b.name).priority);
  const turns = urgent.map((intent) => {
    const turn = before.get(intent.organizationId) ?? 0;
    before.set(intent.organizationId, turn + 1);
    return { intent, turn };
  });
  return turns.toSorted((a, b) => a.turn - b.turn).map(({ intent }) => intent);
}

/** Those whose process was handed over: the others wait in the outbox. */
export async function withoutHandovers(intents: PendingIntent[]): Promise<PendingIntent[]> {
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

/** The row that waits for this process; null when none does, or not of this organization. */
export async function findPendingIntent(
  workflowId: string,
  organizationId: string | null,
): Promise<PendingIntent | null> {
  const rowId = workflowId.split('/').findLast((part) => UUID.test(part));
  if (rowId === undefined) return null;
  const found = await listPendingIntents({ organizationId, rowId, limit: PROCESSES.length });
  return found.find((intent) => intent.workflowId === workflowId) ?? null;
}
