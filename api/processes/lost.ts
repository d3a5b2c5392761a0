/** Processes that rows wait for and that nobody runs: ended by force, or forgotten by Temporal. */
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';
import { runningAmong } from '../../gateways/temporal/processes/list.js';
import { listPendingIntents, type PendingIntent, withoutHandovers } from '../../models/processes/pendingIntents.js';
import type { WaitingProcess } from '../../models/processes/waiting.js';
import { processByName } from '../../workflows/contracts/index.js';

/** Rows that are looked at, of kinds of which few or many may wait. */
const MOST_ROWS = { few: 1_000, many: 3_000 };
/** Processes that do not run, as the lists say, and are asked for one by one. */
const MOST_EXAMINED = 300;
const AT_ONCE = 10;

export interface IntentFilters {
  organizationId: string | null;
  kind?: string | undefined;
  subjectId?: string | undefined;
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
}

export interface FoundIntents {
  intents: PendingIntent[];
  /** Whether these are all. */
  complete: boolean;
}

/**
 * Rows that wait although their process was handed over. Kinds of which many may wait come last, and hide no other.
 * Whether a process runs for them, only Temporal knows.
 */
export async function readIntents(filters: IntentFilters): Promise<FoundIntents> {
  const few = await readSome(filters, 'few');
  const many = await readSome(filters, 'many');
  const intents = await withoutHandovers([...few.intents, ...many.intents]);
  return { intents, complete: few.complete && many.complete };
}

async function readSome(filters: IntentFilters, waitingRows: keyof typeof MOST_ROWS): Promise<FoundIntents> {
  const most = MOST_ROWS[waitingRows];
  const { organizationId, kind, subjectId, startedAfter, startedBefore } = filters;
  const found = await listPendingIntents({
    organizationId,
    of: (contract) => contract.waitingRows === waitingRows && (kind === undefined || contract.kind === kind),
    limit: most + 1,
  });
  const intents = found.slice(0, most).filter(({ name, input, createdAt }) => {
    const at = new Date(createdAt);
    const isMeant = subjectId === undefined || input[processByName(name).subject.id] === subjectId;
    return isMeant && (!startedAfter || at >= startedAfter) && (!startedBefore || at < startedBefore);
  });
  return { intents, complete: found.length <= most };
}

export interface LostProcess {
  intent: PendingIntent;
  /** Its last run; null when Temporal has forgotten it. */
  execution: DescribedExecution | null;
}

/** Of rows that wait, those for which no process runs: the lists say which may be lost, and each of them is asked. */
export async function findLost(intents: PendingIntent[]): Promise<{ lost: LostProcess[]; complete: boolean }> {
  const running = await runningAmong(intents.map(({ workflowId }) => workflowId));
  const silent = intents.filter(({ workflowId }) => !running.has(workflowId));
  const lost: LostProcess[] = [];
  for (let at = 0; at < Math.min(silent.length, MOST_EXAMINED); at += AT_ONCE) {
    const batch = silent.slice(at, at + AT_ONCE);
    const runs = await Promise.all(batch.map(({ workflowId }) => describeExecution(workflowId)));
    batch.forEach((intent, index) => {
      const execution = runs[index] ?? null;
      if (execution?.status !== 'running') lost.push({ intent, execution });
    });
  }
  return { lost, complete: silent.length <= MOST_EXAMINED };
}

/** A forgotten process waits for its start, as one that was never handed over. */
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
