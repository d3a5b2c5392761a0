/** The control port: the requests of every card processor stand-in, revoked tokens, and webhook endpoints. */
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
