/** Dispatches what requests left behind: at once when Postgres says so, and every few seconds in any case. */
import pg from 'pg';
import { config } from '../config.js';
import { startMessage } from '../gateways/temporal/startProcess.js';
import { dispatchWaiting } from '../models/database/outbox.js';
import { log } from '../models/log.js';

const PAGE = 100;

export interface Relay {
  stop(): Promise<void>;
}

/** Runs until stopped; survives a database or a Temporal server that goes away. */
export function startRelay(): Relay {
  let stopped = false;
  let running = Promise.resolve();
  let queued = false;
  const nudge = (): void => {
    if (queued || stopped) return;
    queued = true;
    const before = running;
    running = (async () => {
      await before;
      queued = false;
      await drain(() => stopped);
    })();
  };
  const sweep = setInterval(nudge, config.RELAY_SWEEP_SECONDS * 1000);
  const listener = listen(nudge);
  nudge();
  return {
    async stop() {
      stopped = true;
      clearInterval(sweep);
      await listener.stop();
      await running;
    },
  };
}

async function drain(stopped: () => boolean): Promise<void> {
  try {
    while (!stopped() && (await dispatchWaiting(PAGE, startMessage)) === PAGE);
  } catch (error) {
    log.warn({ err: error }, 'the relay could not sweep the outbox');
  }
}

const RECONNECT_MS = 2_000;

/** LISTEN on a connection of its own (past a pooler), opened again whenever it is lost. */
function listen(onNotice: () => void): Relay {
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    if (!stopped) timer = setTimeout(() => void connect(), RECONNECT_MS);
  };
  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({ connectionString: config.listenUrl, keepAlive: true });
    client = fresh;
    fresh.on('notification', onNotice);
    fresh.on('error', () => undefined);
    fresh.once('end', again);
    try {
      await fresh.connect();
      await fresh.query('LISTEN outbox');
    } catch {
      fresh.end().catch(() => undefined);
    }
  };
  void connect();
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
