/**
 * Finds lost processes: rows are pending, but no process runs for them, because it was terminated or its execution is
 * gone from Temporal.
 */
import { type DescribedExecution, describeLatest } from '../../gateways/temporal/processes/describe.js';
import { runningAmong } from '../../gateways/temporal/processes/list.js';
import type { PendingIntent } from '../../models/processes/pendingIntents.js';
import type { WaitingProcess } from '../../models/processes/waiting.js';

export interface LostProcess {
  intent: PendingIntent;
  /** Last run; null when Temporal no longer has it. */
  execution: DescribedExecution | null;
}

/**
 * Finds the pending rows for which no process runs. Temporal's list of running processes yields candidates; each
 * candidate is then described to be sure.
 */
export async function findLost(intents: readonly PendingIntent[]): Promise<LostProcess[]> {
  const running = await runningAmong(intents.map(({ workflowId }) => workflowId));
  const candidates = intents.filter(({ workflowId }) => !running.has(workflowId));
  const latest = await describeLatest(candidates.map(({ workflowId }) => workflowId));
  return candidates
    .map((intent) => ({ intent, execution: latest.get(intent.workflowId) ?? null }))
    .filter(({ execution }) => execution?.status !== 'running');
}

/** Presents a process whose execution is gone as waiting for its start, like one that was never handed over. */
export const asWaiting = ({
  organizationId,
  name,
  workflowId,
  input,
  createdAt,
}: Omit<PendingIntent, 'rowId'>): WaitingProcess => ({
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
