/** The control port: what every stand-in of a card processor takes, and whose token is revoked, and who hears events. */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { Faults } from '../kit/faults.js';
import { DisputeOrder, saved, takeOrder } from '../kit/orders.js';
import type { DisputeDesk } from './disputes.js';
import { type MoneyDesk, shown } from './money.js';
import { accountOf, type State } from './state.js';

interface Parts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
  disputes: DisputeDesk;
}

const Token = z.strictObject({ key: z.string().min(1), revoked: z.boolean() });
const Hearer = z.strictObject({ account_key: z.string().optional(), url: z.url(), secret: z.string().min(1) });

export function control(exchange: Exchange, parts: Parts): Promise<Answer> {
  const { state, disputes } = parts;
  return takeOrder(exchange, parts, {
    'GET /payments': () => jsonAnswer(200, Object.values(state.kept.payment)),
    'POST /disputes': (order) => jsonAnswer(200, shown(disputes.order(DisputeOrder.parse(order)))),
    'POST /keys': (order) => {
      const { key, revoked } = Token.parse(order);
      state.revoke(accountOf(key), revoked);
      return saved(state, { revoked });
    },
    'POST /webhook-endpoints': (order) => {
      const { account_key, url, secret } = Hearer.parse(order);
      state.kept.endpoints.push({ account: account_key === undefined ? null : accountOf(account_key), url, secret });
      return saved(state, { url });
    },
  });
}
