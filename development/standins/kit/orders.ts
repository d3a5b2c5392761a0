/** The control requests that all card processor stand-ins share. */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from './exchange.js';
import { Fault, type Faults } from './faults.js';
import type { CommonState, WebhookEndpoint, StoredState } from './storedState.js';

const Conclusion = z.strictObject({ refund: z.string(), status: z.enum(['succeeded', 'failed']) });

/** A dispute by the payer's bank, and its decision. A dispute that was won may still be lost later. */
export const DisputeOrder = z.union([
  z.strictObject({
    kind: z.literal('dispute_open'),
    charge: z.string().min(1),
    amount_cents: z.int().positive().optional(),
  }),
  z.strictObject({ kind: z.enum(['dispute_won', 'dispute_lost']), dispute: z.string().min(1) }),
]);

const Key = z.strictObject({ key: z.string().min(1), revoked: z.boolean() });
const Listener = z.strictObject({ account_key: z.string().optional(), url: z.url(), secret: z.string().min(1) });

/** Handlers of control requests by method and path. An invalid body gets a 400 response. */
export type Orders = Record<string, (order: unknown) => Answer>;

interface Parts {
  state: StoredState<CommonState<WebhookEndpoint>>;
  faults: Faults;
  desk: { conclude(refund: string, status: 'COMPLETED' | 'FAILED'): { status: string } };
}

/**
 * Serves one request on the control port.
 * @param own handlers that only this stand-in has, in addition to the shared ones
 */
export async function takeOrder(exchange: Exchange, { state, faults, desk }: Parts, own: Orders): Promise<Answer> {
  const orders: Orders = {
    'GET /health': () => jsonAnswer(200, { ok: true }),
    'GET /ledger': () => jsonAnswer(200, state.kept.ledger),
    'GET /faults': () => jsonAnswer(200, { faults: faults.list() }),
    'POST /faults': (order) => {
      faults.add(Fault.parse(order));
      return jsonAnswer(201, { faults: faults.list() });
    },
    'DELETE /faults': () => {
      faults.clear();
      return jsonAnswer(200, { faults: [] });
    },
    'POST /refunds': (order) => {
      const { refund, status } = Conclusion.parse(order);
      return jsonAnswer(200, { status: desk.conclude(refund, status === 'failed' ? 'FAILED' : 'COMPLETED').status });
    },
    'POST /reset': () => {
      faults.clear();
      state.reset();
      return jsonAnswer(200, { reset: true });
    },
    ...own,
  };
  const text = await exchange.text();
  try {
    const request = `${exchange.method} ${exchange.url.pathname}`;
    const body: unknown = text ? JSON.parse(text) : {};
    return orders[request]?.(body) ?? jsonAnswer(404, { error: `unknown: ${request}` });
  } catch (error) {
    return jsonAnswer(400, { error: error instanceof z.ZodError ? z.prettifyError(error) : String(error) });
  }
}

/**
 * Returns handlers for card processors whose accounts have one secret key: they revoke a key, and register a webhook
 * endpoint.
 */
export const ordersByKey = (
  state: StoredState<CommonState<WebhookEndpoint & { secret: string }>>,
  accountOf: (key: string) => string,
): Orders => ({
  'POST /keys': (order) => {
    const { key, revoked } = Key.parse(order);
    state.revoke(accountOf(key), revoked);
    return saved(state, { revoked });
  },
  'POST /webhook-endpoints': (order) => {
    const { account_key, url, secret } = Listener.parse(order);
    state.kept.endpoints.push({ account: account_key === undefined ? null : accountOf(account_key), url, secret });
    return saved(state, { url });
  },
});

/** Saves the state, and then returns the 201 response, so that every acknowledged change is stored. */
export function saved(state: StoredState<CommonState<WebhookEndpoint>>, answer: unknown): Answer {
  state.save();
  return jsonAnswer(201, answer);
}
