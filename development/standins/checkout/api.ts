/** Serves Checkout.com's API: authentication, idempotency keys, faults, and the routes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Exchange, jsonAnswer } from '../kit/exchange.js';
import type { Faults } from '../kit/faults.js';
import { matchRoute, type Route, withFaults } from '../kit/routes.js';
import type { DisputeDesk } from './disputes.js';
import type { LinkDesk } from './links.js';
import { empty, invalid, missing, type MoneyDesk } from './operations.js';
import { accountOf, type Fields, type Payment, shown, type State, statusOf } from './state.js';

export interface CheckoutParts {
  state: State;
  faults: Faults;
  desk: MoneyDesk;
  links: LinkDesk;
  disputes: DisputeDesk;
}

interface Call {
  account: string;
  body: Fields;
  id: string;
  query: URLSearchParams;
}

type Handler = (call: Call, parts: CheckoutParts) => Answer;

const MAX_RESULTS = 1_000;
/** Maximum length of a search's time range, and maximum age of the payments that a search finds. */
const SEARCH_RANGE_MS = 90 * 86_400_000;

const ROUTES: Route<Handler>[] = [
  ['POST', /^\/payments$/, 'create', ({ account, body }, { desk }) => desk.request(account, body)],
  ['GET', /^\/payments$/, 'list', listPayments],
  ['POST', /^\/payments\/search$/, 'search', searchPayments],
  ['GET', /^\/payments\/([^/]+)$/, 'retrieve', (call, parts) => ofPayment(call, parts, (one) => ok(shown(one)))],
  [
    'GET',
    /^\/payments\/([^/]+)\/actions$/,
    'actions',
    (call, parts) => ofPayment(call, parts, ({ actions }) => ok(actions.toReversed())),
  ],
  [
    'POST',
    /^\/payments\/([^/]+)\/captures$/,
    'capture',
    (call, parts) => ofPayment(call, parts, (one) => parts.desk.capture(one, call.body)),
  ],
  [
    'POST',
    /^\/payments\/([^/]+)\/voids$/,
    'void',
    (call, parts) => ofPayment(call, parts, (one) => parts.desk.release(one, call.body)),
  ],
  [
    'POST',
    /^\/payments\/([^/]+)\/refunds$/,
    'refund',
    (call, parts) => ofPayment(call, parts, (one) => parts.desk.refund(one, call.body)),
  ],
  ['GET', /^\/instruments\/([^/]+)$/, 'instrument', ({ account, id }, { desk }) => desk.readInstrument(account, id)],
  ['DELETE', /^\/instruments\/([^/]+)$/, 'forget', ({ account, id }, { desk }) => desk.deleteInstrument(account, id)],
  ['POST', /^\/payment-links$/, 'page', ({ account, body }, { links }) => links.open(account, body)],
  ['GET', /^\/payment-links\/([^/]+)$/, 'page_read', ({ account, id }, { links }) => links.read(account, id)],
  ['GET', /^\/disputes$/, 'dispute_list', ({ account, query }, { disputes }) => disputes.list(account, query)],
  ['GET', /^\/disputes\/([^/]+)$/, 'dispute', ({ account, id }, { disputes }) => disputes.read(account, id)],
];

const ok = (body: unknown): Answer => jsonAnswer(200, body);

export class CheckoutApi {
  private readonly running = new Set<string>();

  constructor(private readonly parts: CheckoutParts) {}

  async serve(exchange: Exchange): Promise<Answer | null> {
    const [route, id] = matchRoute(ROUTES, exchange);
    const text = await exchange.text();
    return withFaults(this.parts, route?.[2] ?? '', () => this.answer(exchange, route?.[3], id, text));
  }

  private async answer(exchange: Exchange, handler: Handler | undefined, id: string, text: string): Promise<Answer> {
    const key = /^Bearer (sk_\S+)$/.exec(exchange.header('authorization') ?? '')?.[1];
    if (!key || this.parts.state.kept.revoked.includes(accountOf(key))) return empty(401);
    if (!handler) return missing();
    const account = accountOf(key);
    let body: Fields;
    try {
      body = (text ? JSON.parse(text) : {}) as Fields;
    } catch {
      return invalid('body_invalid');
    }
    const act = () => handler({ account, body, id, query: exchange.url.searchParams }, this.parts);
    const idempotency = exchange.header('cko-idempotency-key');
    return idempotency === null ? act() : this.once(`${account} ${idempotency}`, act);
  }

  /**
   * Performs a request with an idempotency key once; a repeated request gets the stored response. Only successful
   * responses are stored. A concurrent request with the same key is refused.
   */
  private async once(key: string, act: () => Answer): Promise<Answer> {
    const { answered } = this.parts.state.kept;
    if (this.running.has(key)) return jsonAnswer(409, { error_type: 'idempotency_conflict', error_codes: [] });
    const storedAnswer = answered[key];
    if (storedAnswer) return storedAnswer;
    this.running.add(key);
    try {
      // Wait a moment before the request is executed. A concurrent request with the same key can then arrive, and is
      // refused.
      await sleep(1);
      const answer = act();
      if (answer.status < 300) answered[key] = answer;
      return answer;
    } finally {
      this.running.delete(key);
    }
  }
}

function ofPayment({ account, id }: Call, { state }: CheckoutParts, answer: (payment: Payment) => Answer): Answer {
  const payment = state.kept.payment[id];
  return payment?.account === account ? answer(payment) : missing();
}

const paymentsOf = (account: string, { kept }: State): Payment[] =>
  Object.values(kept.payment).filter((one) => one.account === account);

function listPayments({ account, query }: Call, { state }: CheckoutParts): Answer {
  const reference = query.get('reference');
  if (!reference) return invalid('reference_required');
  const matching = paymentsOf(account, state).filter((one) => one.reference === reference);
  const limit = Number(query.get('limit') ?? 10);
  const data = matching.toReversed().slice(0, limit).map(shown);
  return ok({ limit, skip: 0, total_count: matching.length, data });
}

/**
 * POST /payments/search: finds payments that were requested within a time range and have one of the statuses in the
 * query and all of its metadata.
 */
function searchPayments({ account, body }: Call, { state }: CheckoutParts): Answer {
  const { query = '', limit = 10, from, to } = body as { query?: string; limit?: number; from?: string; to?: string };
  if (!(limit >= 1 && limit <= MAX_RESULTS)) return invalid('limit_invalid');
  if (query === '' || query.length > 1_024) return invalid('query_invalid');
  const [first, last] = [Date.parse(from ?? ''), Date.parse(to ?? '')];
  if (!(last >= first && last - first <= SEARCH_RANGE_MS)) return invalid('from_or_to_invalid');
  const statuses = [...query.matchAll(/status:'([^']+)'/g)].map(([, status]) => status);
  const marks = [...query.matchAll(/metadata\.(\w+):'([^']+)'/g)];
  const matching = paymentsOf(account, state).filter((one) => {
    const at = Date.parse(one.requested_on);
    const isFound = at >= first && at <= last && at >= Date.now() - SEARCH_RANGE_MS;
    const isMarked = marks.every(([, name = '', value]) => one.metadata[name] === value);
    return isFound && isMarked && (statuses.length === 0 || statuses.includes(statusOf(one)));
  });
  return ok({ data: matching.slice(0, limit).map(shown) });
}
