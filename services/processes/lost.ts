/**
 * Finds lost processes: rows are pending, but no process runs for them, because it was terminated or its execution is
 * gone from Temporal.
 */
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';
import { runningAmong } from '../../gateways/temporal/processes/list.js';
import { listPendingIntents, type PendingIntent, withoutUndispatched } from '../../models/processes/pendingIntents.js';
import type { WaitingProcess } from '../../models/processes/waiting.js';
import { processByName } from '../../workflows/contracts/index.js';

/** Maximum number of rows to read: of the kinds that have few pending rows, and of the kinds that may have many. */
const MAX_ROWS = { few: 1_000, many: 3_000 };
/** Maximum number of processes to describe one by one, among those that Temporal does not list as running. */
const MAX_EXAMINED = 300;
const DESCRIBE_CONCURRENCY = 10;

export interface IntentFilters {
  organizationId: string | null;
  /** null: all kinds. */
  kinds: ReadonlySet<string> | null;
  kind?: string | undefined;
  subjectId?: string | undefined;
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
}

export interface PendingIntents {
  intents: PendingIntent[];
  /** Whether `intents` contains every matching row. */
  complete: boolean;
}

/**
 * Reads pending rows whose process was handed over to Temporal; only Temporal knows whether it still runs. Kinds with
 * many pending rows are read separately and come last, so that they do not displace the other kinds.
 */
export async function readIntents(filters: IntentFilters): Promise<PendingIntents> {
  const few = await readSome(filters, 'few');
  const many = await readSome(filters, 'many');
  const intents = await withoutUndispatched([...few.intents, ...many.intents]);
  return { intents, complete: few.complete && many.complete };
}

async function readSome(filters: IntentFilters, waitingRows: keyof typeof MAX_ROWS): Promise<PendingIntents> {
  const maxRows = MAX_ROWS[waitingRows];
  const { organizationId, kinds, kind, subjectId, startedAfter, startedBefore } = filters;
  const rows = await listPendingIntents({
    organizationId,
    accepts: (contract) =>
      contract.waitingRows === waitingRows &&
      (kinds?.has(contract.kind) ?? true) &&
      (kind === undefined || contract.kind === kind),
    limit: maxRows + 1,
  });
  const intents = rows.slice(0, maxRows).filter(({ name, input, createdAt }) => {
    const createdTime = new Date(createdAt);
    const matchesSubject = subjectId === undefined || input[processByName(name).subject.id] === subjectId;
    return (
      matchesSubject &&
      (!startedAfter || createdTime >= startedAfter) &&
      (!startedBefore || createdTime < startedBefore)
    );
  });
  return { intents, complete: rows.length <= maxRows };
}

export interface LostProcess {
  intent: PendingIntent;
  /** Last run; null when Temporal no longer has it. */
  execution: DescribedExecution | null;
}

/**
 * Finds the pending rows for which no process runs. Temporal's list of running processes yields candidates; each
 * candidate is then described to be sure.
 */
export async function findLost(intents: PendingIntent[]): Promise<{ lost: LostProcess[]; complete: boolean }> {
  const running = await runningAmong(intents.map(({ workflowId }) => workflowId));
  const candidates = intents.filter(({ workflowId }) => !running.has(workflowId));
  const lost: LostProcess[] = [];
  for (let at = 0; at < Math.min(candidates.length, MAX_EXAMINED); at += DESCRIBE_CONCURRENCY) {
    const batch = candidates.slice(at, at + DESCRIBE_CONCURRENCY);
    const runs = await Promise.all(batch.map(({ workflowId }) => describeExecution(workflowId)));
    batch.forEach((intent, index) => {
      const execution = runs[index] ?? null;
      if (execution?.status !== 'running') lost.push({ intent, execution });
    });
  }
  return { lost, complete: candidates.length <= MAX_EXAMINED };
}

/** Presents a process whose execution is gone as waiting for its start, like one that was never handed over. */
export const asWaiting = ({ organizationId, name, workflowId, input, createdAt }: PendingIntent): WaitingProcess => ({
  id: null,
  organizationId,
  name,
  workflowId,
  input,
  createdAt,
  cancelledAt: null,
  failures: 0,
  lastError: null,
  notBefore: null,
  stuck: true,
});
