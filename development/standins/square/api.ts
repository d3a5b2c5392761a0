/** Serves Square's API: authentication, idempotency keys, faults, and the routes. */
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { DisputeDesk } from './disputes.js';
import { badRequest, notFound, SquareRefusal, unauthorized } from './errors.js';
import type { Faults } from '../kit/faults.js';
import { matchRoute, type Route, withFaults } from '../kit/routes.js';
import { listChanged, listPayouts } from './lists.js';
import { type MoneyDesk, shown } from './money.js';
import type { PageDesk } from './pages.js';
import { accountOf, type Fields, type State } from './state.js';

export interface SquareParts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
  pages: PageDesk;
  disputes: DisputeDesk;
}

interface Call {
  account: string;
  body: Fields;
  id: string;
  query: URLSearchParams;
}

type Handler = (call: Call, parts: SquareParts) => Fields;

const MAX_KEY_LENGTH = 45;

const ROUTES: Route<Handler>[] = [
  ['GET', /^\/v2\/merchants\/me$/, 'account', ({ account }) => ({ merchant: { id: account, status: 'ACTIVE' } })],
  ['GET', /^\/v2\/locations\/([^/]+)$/, 'location', ({ account, id }) => ({ location: location(account, id) })],
  [
    'POST',
    /^\/v2\/payments$/,
    'create',
    ({ account, body }, { desk }) => ({ payment: shown(desk.pay(account, body)) }),
  ],
  ['GET', /^\/v2\/payments$/, 'list', (call, { state }) => listChanged('payment', call, state)],
  ['GET', /^\/v2\/refunds$/, 'refund_list', (call, { state }) => listChanged('refund', call, state)],
  ['GET', /^\/v2\/payouts$/, 'payout_list', listPayouts],
  ['POST', /^\/v2\/payments\/cancel$/, 'cancel_by_key', cancelByKey],
  [
    'GET',
    /^\/v2\/payments\/([^/]+)$/,
    'retrieve',
    ({ account, id }, { desk }) => ({ payment: shown(desk.find(account, id)) }),
  ],
  [
    'POST',
    /^\/v2\/payments\/([^/]+)\/complete$/,
    'complete',
    ({ account, id }, { desk }) => ({ payment: shown(desk.complete(account, id)) }),
  ],
  [
    'POST',
    /^\/v2\/payments\/([^/]+)\/cancel$/,
    'cancel',
    ({ account, id }, { desk }) => ({ payment: shown(desk.cancel(account, id)) }),
  ],
  [
    'POST',
    /^\/v2\/refunds$/,
    'refund',
    ({ account, body }, { desk }) => ({ refund: shown(desk.refund(account, body)) }),
  ],
  ['GET', /^\/v2\/refunds\/([^/]+)$/, 'refund_retrieve', refundOf],
  ['GET', /^\/v2\/disputes$/, 'dispute_list', (call, { disputes }) => disputes.list(call)],
  [
    'GET',
    /^\/v2\/disputes\/([^/]+)$/,
    'dispute',
    ({ account, id }, { disputes }) => ({ dispute: shown(disputes.find(account, id)) }),
  ],
  [
    'POST',
    /^\/v2\/online-checkout\/payment-links$/,
    'page',
    ({ account, body }, { pages }) => ({ payment_link: shown(pages.open(account, body)) }),
  ],
  [
    'GET',
    /^\/v2\/online-checkout\/payment-links$/,
    'page_list',
    ({ account }, { state }) => ({
      payment_links: Object.values(state.kept.link)
        .filter((one) => one.account === account)
        .map(shown),
    }),
  ],
  [
    'DELETE',
    /^\/v2\/online-checkout\/payment-links\/([^/]+)$/,
    'page_close',
    ({ account, id }, { pages }) => pages.close(account, id),
  ],
  [
    'GET',
    /^\/v2\/orders\/([^/]+)$/,
    'order',
    ({ account, id }, { pages }) => ({ order: shown(pages.order(account, id)) }),
  ],
  ['POST', /^\/v2\/orders\/search$/, 'order_search', searchOrders],
];

export class SquareApi {
  constructor(private readonly parts: SquareParts) {}

  async serve(exchange: Exchange): Promise<Answer | null> {
    const [route, id] = matchRoute(ROUTES, exchange);
    const text = await exchange.text();
    return withFaults(this.parts, route?.[2] ?? '', () => this.answer(exchange, route?.[3], id, text));
  }

  private answer(exchange: Exchange, handler: Handler | undefined, id: string, text: string): Answer {
    try {
      const account = this.accountOf(exchange);
      if (!handler) throw notFound();
      const body = text ? (JSON.parse(text) as Fields) : {};
      const call = { account, body, id, query: exchange.url.searchParams };
      const key = body['idempotency_key'];
      if (typeof key !== 'string' || exchange.url.pathname === '/v2/payments/cancel')
        return jsonAnswer(200, handler(call, this.parts));
      return this.once(`${account} ${key}`, key, text, () => handler(call, this.parts));
    } catch (error) {
      return refusal(error);
    }
  }

  /**
   * Performs a request with an idempotency key once: if the same request was sent before with this key, returns its
   * stored response. A different request with the same key is refused.
   */
  private once(scope: string, key: string, asked: string, handle: () => Fields): Answer {
    if (key.length > MAX_KEY_LENGTH) throw badRequest('VALUE_TOO_LONG');
    const { answered } = this.parts.state.kept;
    const stored = answered[scope];
    if (stored && stored.asked !== asked) throw badRequest('IDEMPOTENCY_KEY_REUSED');
    if (stored) return jsonAnswer(stored.status, stored.body);
    try {
      const body = handle();
      const made = (body['payment'] as { id?: string } | undefined)?.id ?? null;
      answered[scope] = { asked, status: 200, body, made };
      return jsonAnswer(200, body);
    } catch (error) {
      if (!(error instanceof SquareRefusal) || error.status !== 402) throw error;
      answered[scope] = { asked, status: error.status, body: error.body, made: null };
      throw error;
    }
  }

  private accountOf(exchange: Exchange): string {
    const token = /^Bearer (\S+)$/.exec(exchange.header('authorization') ?? '')?.[1];
    if (!token || this.parts.state.kept.revoked.includes(accountOf(token))) throw unauthorized();
    return accountOf(token);
  }
}

function refusal(error: unknown): Answer {
  if (error instanceof SquareRefusal) return jsonAnswer(error.status, error.body);
  if (error instanceof SyntaxError) return jsonAnswer(400, badRequest('EXPECTED_OBJECT').body);
  return jsonAnswer(500, new SquareRefusal(500, 'API_ERROR', 'INTERNAL_SERVER_ERROR').body);
}

function location(account: string, id: string): Fields {
  if (!/^L[A-Z0-9]{1,49}$/.test(id)) throw notFound();
  return { id, merchant_id: account, status: 'ACTIVE', currency: 'USD', capabilities: ['CREDIT_CARD_PROCESSING'] };
}

function cancelByKey({ account, body }: Call, { state, desk }: SquareParts): Fields {
  const made = state.kept.answered[`${account} ${String(body['idempotency_key'])}`]?.made;
  if (made && desk.find(account, made).status !== 'CANCELED') desk.cancel(account, made);
  return {};
}

function refundOf({ account, id }: Call, { state }: SquareParts): Fields {
  const refund = state.kept.refund[id];
  if (refund?.account !== account) throw notFound();
  return { refund: shown(refund) };
}

function searchOrders({ account, body }: Call, { state }: SquareParts): Fields {
  const { location_ids, query } = body as {
    location_ids?: string[];
    query?: { filter?: { date_time_filter?: { created_at?: { start_at: string; end_at: string } } } };
  };
  if (!location_ids?.length) throw badRequest('MISSING_REQUIRED_PARAMETER');
  const period = query?.filter?.date_time_filter?.created_at;
  const orders = Object.values(state.kept.order).filter(
    (one) =>
      one.account === account &&
      location_ids.includes(one.location_id) &&
      (!period ||
        (Date.parse(one.created_at) >= Date.parse(period.start_at) &&
          Date.parse(one.created_at) <= Date.parse(period.end_at))),
  );
  return { orders: orders.toReversed().map(shown) };
}
