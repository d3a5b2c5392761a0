/** LISTEN on a connection of its own, past a pooler, opened again whenever it is lost. */
import pg from 'pg';
import { config } from '../../config.js';

const RECONNECT_MS = 2_000;

export interface Listener {
  stop(): Promise<void>;
}

export interface Hearing {
  /** @param payload what was notified with it */
  heard: (payload: string) => void;
  /** Listening from here on; whatever was notified before, nobody has heard. */
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
