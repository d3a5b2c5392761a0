/** The payment gateway stand-in: Stripe's API on this machine. */
import { Control } from './control/control.js';
import { Faults } from './faults/faults.js';
import { listen } from '../kit/listen.js';
import { Pages } from './pages/pages.js';
import { SearchIndex } from './resources/search.js';
import { Store } from './state/store.js';
import { Deliverer, type Webhook } from './webhooks/deliverer.js';
import { Api } from './wire/api.js';
import type { Context, Emitted } from './wire/call.js';
import type { Exchange } from '../kit/exchange.js';
import { Idempotency, RETENTION_MS } from './wire/idempotency.js';
import { RequestLog } from './wire/requestLog.js';

export interface StandinOptions {
  /** Port of the API and the hosted pages; 0 chooses a free one. */
  port: number;
  /** Port of the control interface; 0 chooses a free one. */
  controlPort: number;
  /** Folder for the state, so that it survives a restart. */
  dataDir?: string;
  host?: string;
  /**
   * Webhook endpoint that receives the events of every account. Events of an account in `secrets` are signed with that
   * account's secret.
   */
  webhook?: Webhook;
  log?: (line: string) => void;
  /** Delay after which search sees writes. */
  searchLagMs?: number;
  /** Backoff before the first retry of a delivery; it doubles with each retry. */
  retryBaseMs?: number;
  /** Returns the time in milliseconds. */
  now?: () => number;
}

export interface Standin {
  url: string;
  controlUrl: string;
  ledgerUrl: string;
  close(): Promise<void>;
}

const SEARCH_LAG_MS = 2000;
const RETRY_BASE_MS = 500;

/** Starts the stand-in and resolves when both ports listen. */
export async function startStandin(options: StandinOptions): Promise<Standin> {
  const now = options.now ?? Date.now;
  const log = options.log ?? (() => {});
  const host = options.host ?? '127.0.0.1';
  const store = new Store(options.dataDir, (table, row) => {
    return table !== 'idempotency' || !('fingerprint' in row) || now() - row.at < RETENTION_MS;
  });
  const search = new SearchIndex(store, options.searchLagMs ?? SEARCH_LAG_MS, now);
  const faults = new Faults();
  const requests = new RequestLog();
  const idempotency = new Idempotency(store, now);
  const defaultEndpoint = options.webhook ?? null;
  let url = '';
  const context: Context = { store, search, now, url: () => url, hasDefaultEndpoint: defaultEndpoint !== null };
  const retryBaseMs = options.retryBaseMs ?? RETRY_BASE_MS;
  const deliverer = new Deliverer({ store, faults, now, defaultEndpoint, retryBaseMs, log });
  const dispatch = (emitted: Emitted[]): void => deliverer.dispatch(emitted);
  const api = new Api({ context, faults, idempotency, requests, dispatch, log });
  const pages = new Pages({ context, faults, dispatch });
  const reset = (): void => {
    deliverer.stop();
    faults.abandon();
    store.clear();
    search.clear();
    idempotency.clear();
    requests.clear();
  };
  const control = new Control({ context, faults, deliverer, requests, dispatch, reset });

  const serve = async (exchange: Exchange) => {
    if (exchange.url.pathname.startsWith('/v1')) return api.serve(exchange).then(() => undefined);
    return pages.serve(exchange);
  };
  const main = await listen(options.port, host, serve, log);
  const side = await listen(options.controlPort, host, (exchange) => control.serve(exchange), log).catch(
    async (error: unknown) => {
      await main.close();
      throw error;
    },
  );
  // A server can listen on a wildcard address, but clients cannot call that address.
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  url = `http://${name}:${main.port}`;
  const controlUrl = `http://${name}:${side.port}`;
  deliverer.resume();
  log(`payment gateway stand-in at ${url}, control at ${controlUrl}`);

  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    deliverer.close();
    faults.close();
    await Promise.all([main.close(), side.close()]);
    await store.close();
  };
  return {
    url,
    controlUrl,
    ledgerUrl: `${controlUrl}/ledger`,
    close: () => (closing ??= close()),
  };
}
