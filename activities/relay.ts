/**
 * The outbox relay: dispatches rows that requests left behind, immediately on a Postgres notification, and every few
 * seconds in any case.
 */
import { config } from '../config.js';
import { startMessage } from '../gateways/temporal/startProcess.js';
import { listen } from '../models/database/listen.js';
import { dispatchWaiting, type Waiting } from '../models/database/outbox.js';
import { pruneOutbox } from '../models/database/pruneOutbox.js';
import { log } from '../models/log.js';
import { countSweep } from './metrics.js';

const PAGE = 100;
/** Debounced signals are not announced by NOTIFY: the relay polls for them every second. */
const JOINED_EVERY_MS = 1_000;
const PRUNE_EVERY_MS = 3_600_000;

export interface Relay {
  stop(): Promise<void>;
}

/** Runs until stopped; survives an outage of the database or of Temporal. */
export function startRelay(): Relay {
  let stopped = false;
  let running = Promise.resolve();
  let queued: Waiting | null = null;
  const look = (what: Waiting): void => {
    if (stopped) return;
    const isQueued = queued !== null;
    queued = queued === 'all' ? 'all' : what;
    if (isQueued) return;
    const before = running;
    running = (async () => {
      await before;
      const now = queued ?? what;
      queued = null;
      await drain(now, () => stopped);
    })();
  };
  const nudge = () => look('all');
  const sweep = setInterval(nudge, config.RELAY_SWEEP_SECONDS * 1000);
  const joined = setInterval(() => look('joined'), JOINED_EVERY_MS);
  const prune = setInterval(() => void pruneQuietly(), PRUNE_EVERY_MS);
  // Also looks for rows written while the listener was disconnected.
  const listener = listen('outbox', { heard: nudge, listening: nudge });
  nudge();
  void pruneQuietly();
  return {
    async stop() {
      stopped = true;
      clearInterval(sweep);
      clearInterval(joined);
      clearInterval(prune);
      await listener.stop();
      await running;
    },
  };
}

/** Dispatches batch after batch while batches are full and at least one row succeeds. */
async function drain(what: Waiting, stopped: () => boolean): Promise<void> {
  try {
    for (let again = true; again && !stopped(); ) {
      const { taken, dispatched } = await dispatchWaiting(PAGE, startMessage, what);
      countSweep(taken);
      again = taken === PAGE && dispatched > 0;
    }
  } catch (error) {
    countSweep('failed');
    log.warn({ err: error }, 'the relay could not sweep the outbox');
  }
}

async function pruneQuietly(): Promise<void> {
  try {
    await pruneOutbox();
  } catch (error) {
    log.warn({ err: error }, 'the outbox was not pruned');
  }
}
