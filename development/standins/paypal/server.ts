/** The stand-in for PayPal, on this machine. */
import type { Answer, Exchange } from '../kit/exchange.js';
import { Faults } from '../kit/faults.js';
import { openPorts, type RunningStandin, type StandinOptions } from '../kit/twoPorts.js';
import { PaypalApi } from './api.js';
import { control } from './control.js';
import { paypalCertificates } from './certificates.js';
import { DisputeDesk } from './disputes.js';
import { Hooks } from './hooks.js';
import { MoneyDesk } from './money.js';
import { ApprovalPage } from './pages.js';
import { PaypalPresenter } from './shown.js';
import { State } from './state.js';

export interface PaypalStandin extends RunningStandin {
  /** PEM of the authority of its signing certificate. */
  authority: string;
}

/** Starts the stand-in and resolves when both ports listen: the API with the page, and the control port. */
export async function startPaypalStandin(options: StandinOptions): Promise<PaypalStandin> {
  const log = options.log ?? (() => {});
  const { authority } = paypalCertificates(options.dataDir);
  const state = new State(options.dataDir);
  const faults = new Faults();
  let url = '';
  const shown = new PaypalPresenter(state, () => url);
  const hooks = new Hooks(state, () => url, log);
  const desk = new MoneyDesk(
    state,
    shown,
    (told) => hooks.tell(told),
    () => faults.nextRefundOutcome(),
  );
  const approval = new ApprovalPage(state, shown, (told) => hooks.tell(told));
  const disputes = new DisputeDesk(state, shown, (told) => hooks.tell(told));
  const api = new PaypalApi({ state, faults, desk, disputes, shown });
  const serve = (exchange: Exchange): Promise<Answer | null> =>
    exchange.url.pathname === '/checkoutnow' ? approval.serve(exchange) : api.serve(exchange);
  const parts = { state, faults, desk, disputes, hooks, shown };
  const ports = await openPorts(options, serve, (exchange) => control(exchange, parts), log);
  url = ports.url;
  log(`paypal stand-in at ${url}, control at ${ports.controlUrl}`);
  return {
    ...ports,
    authority,
    close: () => {
      hooks.close();
      return ports.close();
    },
  };
}
