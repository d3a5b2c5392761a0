/** Processes that rows wait for and that nobody runs: ended by force, or forgotten by Temporal. */
import { type DescribedExecution, describeExecution } from '../../gateways/temporal/processes/describe.js';
import { listPendingIntents, type PendingIntent, withoutHandovers } from '../../models/processes/pendingIntents.js';
import type { WaitingProcess } from '../../models/processes/waiting.js';
import { processByName } from '../../workflows/contracts/index.js';

/** Rows whose processes are asked for one by one. */
const MOST_EXAMINED = 300;
const AT_ONCE = 10;

export interface IntentFilters {
  organizationId: string | null;
  kind?: string | undefined;
  subjectId?: string | undefined;
  startedAfter?: Date | undefined;
  startedBefore?: Date | undefined;
}

/** Rows that wait although their process was handed over. Whether a process runs for them, only Temporal knows. */
export async function readIntents(filters: IntentFilters): Promise<{ intents: PendingIntent[]; complete: boolean }> {
  const { organizationId, kind, subjectId, startedAfter, startedBefore } = filters;
  const found = await listPendingIntents({ organizationId, kind, limit: MOST_EXAMINED + 1 });
  const intents = found.slice(0, MOST_EXAMINED).filter(({ name, input, createdAt }) => {
    const at = new Date(createdAt);
    const isMeant = subjectId === undefined || input[processByName(name).subject.id] === subjectId;
    return isMeant && (!startedAfter || at >= startedAfter) && (!startedBefore || at < startedBefore);
  });
  return { intents: await withoutHandovers(intents), complete: found.length <= MOST_EXAMINED };
}

export interface LostProcess {
  intent: PendingIntent;
  /** Its last run; null when Temporal has forgotten it. */
  execution: DescribedExecution | null;
}

/** Of rows that wait, those for which no process runs. */
export async function findLost(intents: PendingIntent[]): Promise<LostProcess[]> {
  const lost: LostProcess[] = [];
  for (let at = 0; at < intents.length; at += AT_ONCE) {
    const batch = intents.slice(at, at + AT_ONCE);
    const runs = await Promise.all(batch.map(({ workflowId }) => describeExecution(workflowId)));
    batch.forEach((intent, index) => {
      const execution = runs[index] ?? null;
      if (execution?.status !== 'running') lost.push({ intent, execution });
    });
  }
  return lost;
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
