/**
 * The control port of the Square stand-in: the requests that every card processor stand-in has, and requests to revoke
 * tokens and register webhook endpoints.
 */
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { Faults } from '../kit/faults.js';
import { DisputeOrder, ordersByKey, takeOrder } from '../kit/orders.js';
import type { DisputeDesk } from './disputes.js';
import { type MoneyDesk, shown } from './money.js';
import { accountOf, type State } from './state.js';

interface Parts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
  disputes: DisputeDesk;
}

export function control(exchange: Exchange, parts: Parts): Promise<Answer> {
  const { state, disputes } = parts;
  return takeOrder(exchange, parts, {
    'GET /payments': () => jsonAnswer(200, Object.values(state.kept.payment)),
    'POST /disputes': (order) => jsonAnswer(200, shown(disputes.order(DisputeOrder.parse(order)))),
    ...ordersByKey(state, accountOf),
  });
}
