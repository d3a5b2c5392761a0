/** The control port: what every stand-in of a card processor takes, whose key is revoked, who hears events, and that links end. */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { DisputeOrder, saved, takeOrder } from '../kit/orders.js';
import type { Parts } from './api.js';
import { accountOf, statusOf } from './state.js';

const Key = z.strictObject({ key: z.string().min(1), revoked: z.boolean() });
const Hearer = z.strictObject({ account_key: z.string().optional(), url: z.url(), secret: z.string().min(1) });

export function control(exchange: Exchange, parts: Parts): Promise<Answer> {
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
    'POST /keys': (order) => {
      const { key, revoked } = Key.parse(order);
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
