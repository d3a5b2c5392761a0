/** The stand-in for Checkout.com, on this machine. */
import type { Answer, Exchange } from '../kit/exchange.js';
import { Faults } from '../kit/faults.js';
import { openPorts, type RunningStandin, type StandinOptions } from '../kit/twoPorts.js';
import { CheckoutApi } from './api.js';
import { control } from './control.js';
import { DisputeDesk } from './disputes.js';
import { Hooks } from './hooks.js';
import { LinkDesk } from './links.js';
import { MoneyDesk } from './operations.js';
import { State } from './state.js';

export type CheckoutStandin = RunningStandin;

/** Starts the stand-in and resolves when both ports listen: the API with the pages, and the control port. */
export async function startCheckoutStandin(options: StandinOptions): Promise<CheckoutStandin> {
  const log = options.log ?? (() => {});
  const state = new State(options.dataDir);
  const faults = new Faults();
  const hooks = new Hooks(state, log);
  let url = '';
  const desk = new MoneyDesk(
    state,
    (told) => hooks.tell(told),
    () => faults.nextRefundOutcome(),
  );
  const links = new LinkDesk(state, desk, () => url);
  const disputes = new DisputeDesk(state, (told) => hooks.tell(told));
  const parts = { state, faults, desk, links, disputes };
  const api = new CheckoutApi(parts);
  const serve = (exchange: Exchange): Promise<Answer | null> =>
    exchange.url.pathname.startsWith('/link/') ? links.serve(exchange) : api.serve(exchange);
  const ports = await openPorts(options, serve, (exchange) => control(exchange, parts), log);
  url = ports.url;
  log(`checkout stand-in at ${url}, control at ${ports.controlUrl}`);
  return {
    ...ports,
    close: () => {
      desk.close();
      hooks.close();
      return ports.close();
    },
  };
}
