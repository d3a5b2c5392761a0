/** LISTEN on a dedicated connection that bypasses the pooler and reconnects when lost. */
import pg from 'pg';
import { config } from '../../config.js';

const RECONNECT_MS = 2_000;

export interface Listener {
  stop(): Promise<void>;
}

export interface Hearing {
  /** @param payload of the notification */
  heard: (payload: string) => void;
  /** Called when listening begins; earlier notifications were missed. */
  listening: () => void;
}

/** Listens to a channel until stopped. */
export function listen(channel: string, { heard, listening }: Hearing): Listener {
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    if (!stopped) timer = setTimeout(() => void connect(), RECONNECT_MS);
  };
  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: config.listenUrl,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client = fresh;
    fresh.on('notification', ({ payload = '' }) => heard(payload));
    fresh.on('error', () => undefined);
    fresh.once('end', again);
    try {
      await fresh.connect();
      await fresh.query(`LISTEN ${channel}`);
      listening();
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
