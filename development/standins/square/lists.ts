/** Square's lists of payments, refunds and payouts, in pages, by the time of the last change. */
import { badRequest } from './errors.js';
import { shown } from './money.js';
import type { Fields, State } from './state.js';

const MAX_PAGE_SIZE = 100;

interface ListQuery {
  account: string;
  query: URLSearchParams;
}

/** GET /v2/payments, /v2/refunds: objects of the account that changed within the period. */
export function listChanged(name: 'payment' | 'refund', { account, query }: ListQuery, state: State): Fields {
  const [from, to] = [momentOf(query, 'updated_at_begin_time'), momentOf(query, 'updated_at_end_time')];
  const matching = Object.values<Fields>(state.kept[name]).filter(
    (one) => one['account'] === account && isWithin(Date.parse(String(one['updated_at'])), from, to),
  );
  const begin = Number(query.get('cursor') ?? 0);
  if (!Number.isSafeInteger(begin) || begin < 0) throw badRequest('INVALID_CURSOR');
  const size = Math.min(MAX_PAGE_SIZE, Number(query.get('limit') ?? MAX_PAGE_SIZE) || MAX_PAGE_SIZE);
  const page = matching.slice(begin, begin + size);
  return {
    [`${name}s`]: page.map(shown),
    ...(begin + size < matching.length && { cursor: String(begin + size) }),
  };
}

/** GET /v2/payouts: always empty, because this stand-in makes no payouts. */
export const listPayouts = (): Fields => ({ payouts: [] });

function momentOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw badRequest('INVALID_TIME');
  return moment;
}

const isWithin = (moment: number, from: number | null, to: number | null): boolean =>
  (from === null || moment >= from) && (to === null || moment <= to);
