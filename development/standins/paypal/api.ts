/** Serves PayPal's API: tokens, idempotency keys, faults, and the routes. */
import { randomBytes } from 'node:crypto';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import { malformed, notFound, PaypalRefusal } from './errors.js';
import type { Faults } from '../kit/faults.js';
import { matchRoute, type Route, withFaults } from '../kit/routes.js';
import { paypalCertificates } from './certificates.js';
import { CERTIFICATE_PATH } from './hooks.js';
import type { DisputeDesk } from './disputes.js';
import type { MoneyDesk } from './money.js';
import { listTransactions } from './transactions.js';
import type { PaypalPresenter } from './shown.js';
import { accountOf, type Fields, type State } from './state.js';

export interface PaypalParts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
  disputes: DisputeDesk;
  shown: PaypalPresenter;
}

interface Call {
  account: string;
  body: unknown;
  id: string;
  query: URLSearchParams;
  /**
   * Calls `make` for the first request with an idempotency key. A repeated request calls `again` instead, which returns
   * the current state of the object that `make` created.
   */
  once: <T extends { id: string }>(make: () => T, again: (id: string) => T) => [T, status: number];
}

type Handler = (call: Call, parts: PaypalParts) => [body: unknown, status?: number];

const MAX_KEY_LENGTH = 108;
const TOKEN_LIFETIME_SECONDS = 32_400;

const ROUTES: Route<Handler>[] = [
  ['GET', /^\/v1\/identity\/oauth2\/userinfo$/, 'account', ({ account }) => [{ user_id: account, payer_id: account }]],
  ['POST', /^\/v2\/checkout\/orders$/, 'create', createOrder],
  ['GET', /^\/v2\/checkout\/orders\/(\w+)$/, 'retrieve', (call, parts) => [orderOf(call, parts)]],
  [
    'PATCH',
    /^\/v2\/checkout\/orders\/(\w+)$/,
    'page_close',
    ({ account, id, body }, { desk }) => {
      desk.patch(account, id, body);
      return [null, 204];
    },
  ],
  [
    'POST',
    /^\/v2\/checkout\/orders\/(\w+)\/capture$/,
    'order_capture',
    ({ account, id }, { desk, shown }) => [shown.order(desk.captureOrder(account, id)), 201],
  ],
  [
    'POST',
    /^\/v2\/payments\/authorizations\/(\w+)\/capture$/,
    'capture',
    ({ account, id, once }, { desk, shown }) => {
      const [capture, status] = once(
        () => desk.capture(account, id),
        (made) => desk.find('capture', account, made),
      );
      return [shown.capture(capture), status];
    },
  ],
  [
    'POST',
    /^\/v2\/payments\/authorizations\/(\w+)\/void$/,
    'void',
    ({ account, id }, { desk }) => {
      desk.release(account, id);
      return [null, 204];
    },
  ],
  [
    'GET',
    /^\/v2\/payments\/captures\/(\w+)$/,
    'capture_retrieve',
    ({ account, id }, { desk, shown }) => [shown.capture(desk.find('capture', account, id))],
  ],
  [
    'POST',
    /^\/v2\/payments\/captures\/(\w+)\/refund$/,
    'refund',
    ({ account, id, body, once }, { desk, shown }) => {
      const make = () => desk.refund(account, id, (body ?? {}) as Fields);
      const [refund, status] = once(make, (made) => desk.find('refund', account, made));
      return [shown.refund(refund), status];
    },
  ],
  [
    'GET',
    /^\/v1\/notifications\/webhooks-events\/([\w-]+)$/,
    'event',
    ({ account, id }, { state }) => {
      const stored = state.kept.event[id];
      if (stored?.account !== account) throw notFound();
      return [stored.event];
    },
  ],
  [
    'GET',
    /^\/v1\/customer\/disputes$/,
    'dispute_list',
    ({ account, query }, { disputes }) => [disputes.list(account, query.get('disputed_transaction_id'))],
  ],
  [
    'GET',
    /^\/v1\/customer\/disputes\/([\w-]+)$/,
    'dispute',
    ({ account, id }, { desk, shown }) => [shown.dispute(desk.find('dispute', account, id))],
  ],
  ['GET', /^\/v1\/reporting\/transactions$/, 'transactions', (call, parts) => [listTransactions(call, parts)]],
];

export class PaypalApi {
  constructor(private readonly parts: PaypalParts) {}

  async serve(exchange: Exchange): Promise<Answer | null> {
    const [route, id] = matchRoute(ROUTES, exchange);
    const text = await exchange.text();
    const operation = operationOf(exchange, route?.[2], text);
    return withFaults(this.parts, operation, () => this.answer(exchange, route?.[3], id, text));
  }

  private answer(exchange: Exchange, handler: Handler | undefined, id: string, text: string): Answer {
    try {
      const { pathname, searchParams: query } = exchange.url;
      if (pathname === CERTIFICATE_PATH) return certificates();
      if (pathname === '/v1/oauth2/token') return this.token(exchange);
      const account = this.accountOf(exchange);
      if (!handler) throw notFound();
      const body: unknown = text ? JSON.parse(text) : undefined;
      const once = this.onceOf(`${account} ${pathname}`, exchange.header('paypal-request-id'));
      const [answer, status = 200] = handler({ account, body, id, query, once }, this.parts);
      return answer === null ? { status, body: '', headers: {} } : jsonAnswer(status, answer);
    } catch (error) {
      return refusal(error);
    }
  }

  private onceOf(scope: string, key: string | null): Call['once'] {
    const { made } = this.parts.state.kept;
    return (make, again) => {
      if (key && key.length > MAX_KEY_LENGTH) throw malformed('INVALID_STRING_LENGTH');
      const existingId = key ? made[`${scope} ${key}`] : undefined;
      if (existingId) return [again(existingId), 200];
      const created = make();
      if (key) made[`${scope} ${key}`] = created.id;
      return [created, 201];
    };
  }

  private token(exchange: Exchange): Answer {
    const { kept } = this.parts.state;
    const [, basic = ''] = /^Basic (\S+)$/.exec(exchange.header('authorization') ?? '') ?? [];
    const [client = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':');
    const account = accountOf(client, secret);
    if (!client || !secret || kept.revoked.includes(account)) return jsonAnswer(401, { error: 'invalid_client' });
    const access_token = `A21AA${randomBytes(30).toString('base64url')}`;
    kept.tokens[access_token] = account;
    return jsonAnswer(200, { scope: 'openid', access_token, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS });
  }

  private accountOf(exchange: Exchange): string {
    const { kept } = this.parts.state;
    const account = kept.tokens[/^Bearer (\S+)$/.exec(exchange.header('authorization') ?? '')?.[1] ?? ''];
    if (!account || kept.revoked.includes(account)) throw new PaypalRefusal(401, 'AUTHENTICATION_FAILURE');
    return account;
  }
}

const certificates = (): Answer => {
  const { certificate, authority } = paypalCertificates();
  return { status: 200, body: certificate + authority, headers: { 'Content-Type': 'application/x-pem-file' } };
};

/**
 * Returns the operation name by which faults select a request. The operation `page` is the creation of an order without
 * a payment source: its payer approves the order on a page.
 */
function operationOf(exchange: Exchange, operation = '', text = ''): string {
  if (exchange.url.pathname === '/v1/oauth2/token') return 'token';
  return operation === 'create' && !text.includes('"payment_source"') ? 'page' : operation;
}

function refusal(error: unknown): Answer {
  if (error instanceof PaypalRefusal) return jsonAnswer(error.status, error.body);
  if (error instanceof SyntaxError) return jsonAnswer(400, malformed('MALFORMED_REQUEST_JSON').body);
  return jsonAnswer(500, new PaypalRefusal(500, 'INTERNAL_SERVER_ERROR').body);
}

const orderOf = ({ account, id }: Call, { desk, shown }: PaypalParts): Fields =>
  shown.order(desk.find('order', account, id));

function createOrder({ account, body, once }: Call, { desk, shown }: PaypalParts): [Fields, number] {
  const request = (body ?? {}) as Fields;
  const [order, status] = once(
    () => desk.order(account, request),
    (made) => desk.find('order', account, made),
  );
  return [shown.order(order), status];
}
