/** The stand-in for Square, on this machine. */
import type { Answer, Exchange } from '../kit/exchange.js';
import { Faults } from '../kit/faults.js';
import { openPorts, type RunningStandin, type StandinOptions } from '../kit/twoPorts.js';
import { SquareApi } from './api.js';
import { control } from './control.js';
import { DisputeDesk } from './disputes.js';
import { Hooks } from './hooks.js';
import { MoneyDesk } from './money.js';
import { PageDesk } from './pages.js';
import { State } from './state.js';

export type SquareStandin = RunningStandin;

/** Starts the stand-in and resolves when both ports listen: the API with the pages, and the control port. */
export async function startSquareStandin(options: StandinOptions): Promise<SquareStandin> {
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
  const pages = new PageDesk(state, desk, () => url);
  const disputes = new DisputeDesk(state, (told) => hooks.tell(told));
  const parts = { state, faults, desk, pages, disputes };
  const api = new SquareApi(parts);
  const serve = (exchange: Exchange): Promise<Answer | null> =>
    exchange.url.pathname.startsWith('/pay/') ? pages.serve(exchange) : api.serve(exchange);
  const ports = await openPorts(options, serve, (exchange) => control(exchange, parts), log);
  url = ports.url;
  log(`square stand-in at ${url}, control at ${ports.controlUrl}`);
  return {
    ...ports,
    close: () => {
      hooks.close();
      return ports.close();
    },
  };
}
