/** The stand-in of PayPal: what it would do on the wire, on this machine. */
import type { Answer, Exchange } from '../kit/exchange.js';
import { listen } from '../kit/listen.js';
import { PaypalApi } from './api.js';
import { control } from './control.js';
import { Faults } from './faults.js';
import { Hooks, paypalCertificates } from './hooks.js';
import { MoneyDesk } from './money.js';
import { ApprovalPage } from './pages.js';
import { Shown } from './shown.js';
import { State } from './state.js';

export interface PaypalStandinOptions {
  /** Port of the API and the page; 0 takes a free one. */
  port: number;
  controlPort: number;
  /** State survives a restart when given. */
  dataDir?: string;
  log?: (line: string) => void;
}

export interface PaypalStandin {
  url: string;
  controlUrl: string;
  ledgerUrl: string;
  /** PEM of the authority that vouches for what it signs events with. */
  authority: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Starts the stand-in and resolves once both ports listen. */
export async function startPaypalStandin(options: PaypalStandinOptions): Promise<PaypalStandin> {
  const log = options.log ?? (() => {});
  const state = new State(options.dataDir);
  const faults = new Faults();
  let url = '';
  const shown = new Shown(state, () => url);
  const hooks = new Hooks(state, () => url, log);
  const fate = () =>
    faults.strikes('refund_pending', 'refund')
      ? 'pending'
      : faults.strikes('refund_fails_later', 'refund')
        ? 'fails_later'
        : null;
  const desk = new MoneyDesk(state, shown, (told) => hooks.tell(told), fate);
  const approval = new ApprovalPage(state, shown, (told) => hooks.tell(told));
  const api = new PaypalApi({ state, faults, desk, shown });
  const serve = (exchange: Exchange): Promise<Answer | null> =>
    exchange.url.pathname === '/checkoutnow' ? approval.serve(exchange) : api.serve(exchange);
  const main = await listen(options.port, HOST, serve, log);
  const parts = { state, faults, desk, hooks, shown };
  const side = await listen(options.controlPort, HOST, (exchange) => control(exchange, parts), log).catch(
    async (error: unknown) => {
      await main.close();
      throw error;
    },
  );
  url = `http://${HOST}:${main.port}`;
  const controlUrl = `http://${HOST}:${side.port}`;
  log(`paypal stand-in at ${url}, control at ${controlUrl}`);
  return {
    url,
    controlUrl,
    ledgerUrl: `${controlUrl}/ledger`,
    authority: paypalCertificates().authority,
    close: async () => {
      hooks.close();
      await Promise.all([main.close(), side.close()]);
    },
  };
}
