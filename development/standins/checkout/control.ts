/**
 * The control port of the Checkout.com stand-in: the requests that every card processor stand-in has, and requests to
 * revoke keys, register webhook endpoints, expire links and change kept cards.
 */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { DisputeOrder, ordersByKey, saved, takeOrder } from '../kit/orders.js';
import type { CheckoutParts } from './api.js';
import { KEPT_CARD_CHANGES } from './operations.js';
import { accountOf, statusOf } from './state.js';

const KeptCardOrder = z.strictObject({ charge: z.string().min(1), becomes: z.enum(KEPT_CARD_CHANGES) });

export function control(exchange: Exchange, parts: CheckoutParts): Promise<Answer> {
  const { state, desk, disputes, links } = parts;
  return takeOrder(exchange, parts, {
    'GET /payments': () =>
      jsonAnswer(
        200,
        Object.values(state.kept.payment).map((one) => ({ id: one.id, status: statusOf(one) })),
      ),
    'POST /disputes': (order) => jsonAnswer(200, { id: disputes.order(DisputeOrder.parse(order)).id }),
    'POST /kept-cards': (order) => {
      const { charge, becomes } = KeptCardOrder.parse(order);
      return jsonAnswer(200, desk.changeKeptCard(charge, becomes));
    },
    'POST /links/expire': () => {
      links.expire();
      return saved(state, { expired: true });
    },
    ...ordersByKey(state, accountOf),
  });
}
