/** Dispatches the processes that a committed request enqueued. Failed dispatches are left to the relay. */
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { dispatchWritten } from '../../models/database/outbox.js';
import type { Actor } from '../../models/identity/Actor.js';
import { log } from '../../models/log.js';
import { originOf } from './origin.js';
import type { RequestFacts } from './routes.js';

/** Options of a transaction opened by a handler: its origin, and the dispatch after its commit. */
export const ownTransaction = (request: RequestFacts, actor?: Actor) => ({
  origin: originOf(request, actor),
  afterCommit: (outboxIds: string[]) => void dispatchSoon(outboxIds),
});

/**
 * As `ownTransaction`, for a handler that waits for the process that it starts.
 * @returns the options of the transaction, and the dispatch, to be called after its commit
 */
export function awaitedTransaction(request: RequestFacts, actor?: Actor) {
  let written: string[] = [];
  const options = {
    origin: originOf(request, actor),
    afterCommit: (outboxIds: string[]) => void (written = outboxIds),
  };
  return { options, dispatch: () => dispatchSoon(written) };
}

/** Resolves when each of these outbox rows was dispatched or left to the relay; never rejects. */
export async function dispatchSoon(outboxIds: string[]): Promise<void> {
  if (outboxIds.length === 0) return;
  try {
    await dispatchWritten(outboxIds, startMessage);
  } catch (error) {
    log.warn({ err: error }, 'dispatch left to the relay');
  }
}
