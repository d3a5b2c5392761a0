/** The stand-in of Square: what it would do on the wire, on this machine. */
import type { Answer, Exchange } from '../kit/exchange.js';
import { listen } from '../kit/listen.js';
import { SquareApi } from './api.js';
import { control } from './control.js';
import { Faults } from './faults.js';
import { Hooks } from './hooks.js';
import { MoneyDesk } from './money.js';
import { PageDesk } from './pages.js';
import { State } from './state.js';

export interface SquareStandinOptions {
  /** Port of the API and the pages; 0 takes a free one. */
  port: number;
  controlPort: number;
  /** State survives a restart when given. */
  dataDir?: string;
  log?: (line: string) => void;
}

export interface SquareStandin {
  url: string;
  controlUrl: string;
  ledgerUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the stand-in and resolves once both ports listen. */
export async function startSquareStandin(options: SquareStandinOptions): Promise<SquareStandin> {
  const log = options.log ?? (() => {});
  const state = new State(options.dataDir);
  const faults = new Faults();
  const hooks = new Hooks(state, log);
  let url = '';
  const fate = () =>
    faults.strikes('refund_pending', 'refund')
      ? 'pending'
      : faults.strikes('refund_fails_later', 'refund')
        ? 'fails_later'
        : null;
  const desk = new MoneyDesk(state, (told) => hooks.tell(told), fate);
  const pages = new PageDesk(state, desk, () => url);
  const api = new SquareApi({ state, faults, desk, pages });
  const serve = (exchange: Exchange): Promise<Answer | null> =>
    exchange.url.pathname.startsWith('/pay/') ? pages.serve(exchange) : api.serve(exchange);
  const main = await listen(options.port, HOST, serve, log);
  const side = await listen(
    options.controlPort,
    HOST,
    (exchange) => control(exchange, { state, faults, desk }),
    log,
  ).catch(async (error: unknown) => {
    await main.close();
    throw error;
  });
  url = `http://${HOST}:${main.port}`;
  const controlUrl = `http://${HOST}:${side.port}`;
  log(`square stand-in at ${url}, control at ${controlUrl}`);
  return {
    url,
    controlUrl,
    ledgerUrl: `${controlUrl}/ledger`,
    close: async () => {
      hooks.close();
      await Promise.all([main.close(), side.close()]);
    },
  };
}
