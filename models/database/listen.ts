/**
 * Receives notifications (LISTEN) on a dedicated connection, which bypasses the pooler and is opened again when it is
 * lost.
 */
import pg from 'pg';
import { config } from '../../config.js';

const RECONNECT_MS = 2_000;

export interface Listener {
  stop(): Promise<void>;
}

export interface Subscription {
  /** Called with the payload of each notification. */
  onMessage: (payload: string) => void;
  /** Called each time listening begins, also after a reconnect. Notifications sent before that were missed. */
  onListening: () => void;
}

/** Listens to a channel until stopped. */
export function listen(channel: string, { onMessage, onListening }: Subscription): Listener {
  let client: pg.Client | undefined;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  const reconnectLater = (): void => {
    if (!stopped) timer = setTimeout(() => void connect(), RECONNECT_MS);
  };
  const connect = async (): Promise<void> => {
    const connection = new pg.Client({
      connectionString: config.listenUrl,
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    client = connection;
    connection.on('notification', ({ payload = '' }) => onMessage(payload));
    connection.on('error', () => undefined);
    connection.once('end', reconnectLater);
    try {
      await connection.connect();
      await connection.query(`LISTEN ${channel}`);
      onListening();
    } catch {
      connection.end().catch(() => undefined);
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
