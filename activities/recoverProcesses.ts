/**
 * Recovers lost processes: for each pending row that has no process, this step starts one. Temporal refuses to start a
 * process twice.
 */
import { startUnlessRunning } from '../gateways/temporal/processes/commands.js';
import { runningAmong } from '../gateways/temporal/processes/list.js';
import { inPlatform } from '../models/database/tenancy.js';
import { log } from '../models/log.js';
import {
  interleaveByOrganization,
  listPendingIntents,
  type PendingIntent,
} from '../models/processes/pendingIntents.js';
import { processByName } from '../workflows/contracts/index.js';
import type { ProcessInput } from '../workflows/contracts/process.js';

/** Rows per batch. In most deployments one batch holds all rows. */
const BATCH_SIZE = 2_000;
const START_CONCURRENCY = 10;

/**
 * Starts missing processes for the next batch of pending rows. One query to Temporal covers a hundred rows, so that
 * thousands of open hosted pages cost a few queries. A failed start is left to the next run.
 * @returns the cursor of the next batch; null after the last
 */
export const recoverNextPage = async (after: string | null): Promise<string | null> => {
  const batch = await inPlatform(() => listPendingIntents({ organizationId: null, after, limit: BATCH_SIZE }), {
    readOnly: true,
  });
  const running = await runningAmong(batch.map(({ workflowId }) => workflowId));
  const lost = interleaveByOrganization(batch.filter(({ workflowId }) => !running.has(workflowId)));
  for (let at = 0; at < lost.length; at += START_CONCURRENCY)
    await Promise.all(lost.slice(at, at + START_CONCURRENCY).map(recover));
  return batch.length >= BATCH_SIZE ? (batch.at(-1)?.rowId ?? null) : null;
};

async function recover({ name, workflowId, organizationId, input }: PendingIntent): Promise<void> {
  try {
    if (await startUnlessRunning(processByName(name), input as unknown as ProcessInput))
      log.warn({ process: name, workflowId, organizationId }, 'started a missing process for a pending row');
  } catch (error) {
    log.warn({ err: error, process: name, workflowId, organizationId }, 'could not start a missing process');
  }
}
