/** The recovery step: rows say what is to be done, and Temporal refuses to start it twice. */
import { startUnlessRunning } from '../gateways/temporal/processes/commands.js';
import { runningAmong } from '../gateways/temporal/processes/list.js';
import { inPlatform } from '../models/database/tenancy.js';
import { log } from '../models/log.js';
import { inTurns, listPendingIntents, type PendingIntent } from '../models/processes/pendingIntents.js';
import { processByName } from '../workflows/contracts/index.js';
import type { ProcessInput } from '../workflows/contracts/process.js';

/** Rows per batch; in most deployments this is all of them. */
const PAGE = 2_000;
/** Concurrent starts. */
const AT_ONCE = 10;

/**
 * Starts missing processes for the next pending rows. Temporal's list answers for a hundred rows at once which of
 * them run, so that thousands of open pages cost a few queries. A start that fails is left to the next run. @returns
 * the cursor of the next batch; null after the last
 */
export const recoverNextPage = async (after: string | null): Promise<string | null> => {
  const page = await inPlatform(() => listPendingIntents({ organizationId: null, after, limit: PAGE }), {
    readOnly: true,
  });
  const running = await runningAmong(page.map(({ workflowId }) => workflowId));
  const lost = inTurns(page.filter(({ workflowId }) => !running.has(workflowId)));
  for (let at = 0; at < lost.length; at += AT_ONCE) await Promise.all(lost.slice(at, at + AT_ONCE).map(recover));
  return page.length === PAGE ? (page.at(-1)?.rowId ?? null) : null;
};

async function recover({ name, workflowId, organizationId, input }: PendingIntent): Promise<void> {
  try {
    if (await startUnlessRunning(processByName(name), input as unknown as ProcessInput))
      log.warn({ process: name, workflowId, organizationId }, 'a row waited and no process ran: it was started again');
  } catch (error) {
    log.warn({ err: error, process: name, workflowId, organizationId }, 'a process could not be started again');
  }
}
