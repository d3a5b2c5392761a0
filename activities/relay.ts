/**
 * The outbox relay: dispatches outbox rows immediately on a Postgres notification. Every few seconds it retries outbox
 * rows whose dispatch failed or was never requested.
 */
import { config } from '../config.js';
import { startMessage } from '../gateways/temporal/startProcess.js';
import { listen } from '../models/database/listen.js';
import { dispatchWaiting, type SweepScope } from '../models/database/outbox.js';
import { pruneOutbox } from '../models/database/pruneOutbox.js';
import { log } from '../models/log.js';
import { countSweep } from './metrics.js';

const BATCH_SIZE = 100;
/** Debounced signals are not announced with NOTIFY, so the relay polls for them every second. */
const DEBOUNCED_POLL_MS = 1_000;
const PRUNE_INTERVAL_MS = 3_600_000;

export interface Relay {
  stop(): Promise<void>;
}

/** Starts the relay. It runs until it is stopped, also through an outage of the database or of Temporal. */
export function startRelay(): Relay {
  let stopped = false;
  let running = Promise.resolve();
  let queued: SweepScope | null = null;
  const requestSweep = (selection: SweepScope): void => {
    if (stopped) return;
    const isQueued = queued !== null;
    queued = queued === 'all' ? 'all' : selection;
    if (isQueued) return;
    const previous = running;
    running = (async () => {
      await previous;
      const selected = queued ?? selection;
      queued = null;
      await drain(selected, () => stopped);
    })();
  };
  const nudge = () => requestSweep('all');
  const sweep = setInterval(nudge, config.RELAY_SWEEP_SECONDS * 1000);
  const debounced = setInterval(() => requestSweep('joined'), DEBOUNCED_POLL_MS);
  const prune = setInterval(() => void pruneQuietly(), PRUNE_INTERVAL_MS);
  // Each connection of the listener triggers a sweep, too, which finds rows that were written while the listener was
  // disconnected.
  const listener = listen('outbox', { onMessage: nudge, onListening: nudge });
  nudge();
  void pruneQuietly();
  return {
    async stop() {
      stopped = true;
      clearInterval(sweep);
      clearInterval(debounced);
      clearInterval(prune);
      await listener.stop();
      await running;
    },
  };
}

/** Dispatches batch after batch while batches are full and at least one row succeeds. */
async function drain(selection: SweepScope, stopped: () => boolean): Promise<void> {
  try {
    for (let hasMore = true; hasMore && !stopped(); ) {
      const { claimed, dispatched } = await dispatchWaiting(BATCH_SIZE, startMessage, selection);
      countSweep(claimed);
      hasMore = claimed === BATCH_SIZE && dispatched > 0;
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
