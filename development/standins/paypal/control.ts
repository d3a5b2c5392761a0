/**
 * The control port of the PayPal stand-in: the requests that every card processor stand-in has, and requests to revoke
 * secrets, register webhook endpoints and get signed events.
 */
import { z } from 'zod';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { Faults } from '../kit/faults.js';
import { DisputeOrder, saved, takeOrder } from '../kit/orders.js';
import { Claim, ClaimEnd, type DisputeDesk } from './disputes.js';
import type { Hooks } from './hooks.js';
import type { MoneyDesk, PaypalEvent } from './money.js';
import type { PaypalPresenter } from './shown.js';
import { accountOf, type State } from './state.js';

interface Parts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
  disputes: DisputeDesk;
  hooks: Hooks;
  shown: PaypalPresenter;
}

const Client = z.strictObject({ client_id: z.string().min(1), secret: z.string().min(1), revoked: z.boolean() });
const EndpointOrder = z.strictObject({
  client_id: z.string().optional(),
  secret: z.string().optional(),
  url: z.url(),
  webhook_id: z.string().min(1),
});
/** Selects an event about the capture of an order, or about a dispute. */
const SignedEventOrder = z.strictObject({
  order: z.string().optional(),
  dispute: z.string().optional(),
  webhook_id: z.string(),
  at: z.iso.datetime(),
});

export function control(exchange: Exchange, parts: Parts): Promise<Answer> {
  const { state, disputes } = parts;
  return takeOrder(exchange, parts, {
    'GET /authorizations': () => jsonAnswer(200, Object.values(state.kept.authorization)),
    'GET /orders': () => jsonAnswer(200, Object.values(state.kept.order)),
    'POST /clients': (order) => {
      const { client_id, secret, revoked } = Client.parse(order);
      state.revoke(accountOf(client_id, secret), revoked);
      return saved(state, { revoked });
    },
    'POST /disputes': (order) => jsonAnswer(200, disputes.order(DisputeOrder.parse(order))),
    'POST /claims': (order) => jsonAnswer(200, disputes.claim(Claim.parse(order))),
    'POST /claims/end': (order) => jsonAnswer(200, disputes.endClaim(ClaimEnd.parse(order))),
    'POST /signed-events': (order) => jsonAnswer(200, signedEvent(parts, SignedEventOrder.parse(order))),
    'POST /webhook-endpoints': (order) => {
      const { client_id, secret, url, webhook_id } = EndpointOrder.parse(order);
      const account = client_id && secret ? accountOf(client_id, secret) : null;
      state.kept.endpoints.push({ account, url, webhook_id });
      return saved(state, { url });
    },
  });
}

/** Returns the event as it would be sent to the webhook with this id. */
function signedEvent(parts: Parts, { order, dispute, webhook_id, at }: z.infer<typeof SignedEventOrder>) {
  const { hooks } = parts;
  const event = dispute === undefined ? captureEvent(parts, order) : disputeEvent(parts, dispute);
  return hooks.sign(JSON.stringify(hooks.tell(event)), webhook_id, new Date(at));
}

function captureEvent({ state, shown }: Parts, id = ''): PaypalEvent {
  const order = state.kept.order[id];
  const [capture] = order ? state.capturesOf(order) : [];
  if (!order || !capture) throw new Error('Nothing was captured under this order.');
  return { account: order.account, type: 'PAYMENT.CAPTURE.COMPLETED', resource: shown.capture(capture) };
}

function disputeEvent({ state, shown }: Parts, id: string): PaypalEvent {
  const dispute = state.kept.dispute[id];
  if (!dispute) throw new Error('There is no such dispute.');
  return { account: dispute.account, type: 'CUSTOMER.DISPUTE.UPDATED', resource: shown.dispute(dispute) };
}
