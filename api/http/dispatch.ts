/** Starts what a committed request has asked for. What fails here, the relay does. */
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { dispatchWritten } from '../../models/database/outbox.js';
import { log } from '../../models/log.js';

/** Resolves when each of these outbox rows was dispatched or left to the relay; never rejects. */
export async function dispatchSoon(outboxIds: string[]): Promise<void> {
  if (outboxIds.length === 0) return;
  try {
    await dispatchWritten(outboxIds, startMessage);
  } catch (error) {
    log.warn({ err: error }, 'dispatch left to the relay');
  }
}
