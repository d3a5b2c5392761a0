/**
 * The control port of the Checkout.com stand-in: the requests that every card processor stand-in has, and requests to
 * revoke keys, register webhook endpoints and expire links.
 */
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { DisputeOrder, ordersByKey, saved, takeOrder } from '../kit/orders.js';
import type { CheckoutParts } from './api.js';
import { accountOf, statusOf } from './state.js';

export function control(exchange: Exchange, parts: CheckoutParts): Promise<Answer> {
  const { state, disputes, links } = parts;
  return takeOrder(exchange, parts, {
    'GET /payments': () =>
      jsonAnswer(
        200,
        Object.values(state.kept.payment).map((one) => ({ id: one.id, status: statusOf(one) })),
      ),
    'POST /disputes': (order) => jsonAnswer(200, { id: disputes.order(DisputeOrder.parse(order)).id }),
    'POST /links/expire': () => {
      links.expire();
      return saved(state, { expired: true });
    },
    ...ordersByKey(state, accountOf),
  });
}
