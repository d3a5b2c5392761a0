/** Lists: newest first, filtered, with cursor pagination. */
import type { Row } from '../state/types.js';
import type { Call, Reply } from '../wire/call.js';
import { ok } from '../wire/call.js';
import { invalidRequest, noSuch } from '../wire/errors.js';

/** Parameters that every list accepts. */
export const LIST_PARAMETERS = ['limit', 'starting_after', 'ending_before', 'expand'] as const;

const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 100;

/** Returns the requested page size. */
export function limitOf(call: Call): number {
  const limit = call.params.integer('limit', 1) ?? DEFAULT_LIMIT;
  if (limit <= MAX_LIMIT) return limit;
  throw invalidRequest(`This value must be less than or equal to ${MAX_LIMIT}.`, { param: 'limit' });
}

/** Returns a filter for the list parameter `created`, which is either one time or a range of times. */
export function createdFilter(call: Call): (item: { created: number }) => boolean {
  if (typeof call.params.values['created'] === 'string') {
    const moment = call.params.integer('created', 0);
    return (item) => moment === undefined || item.created === moment;
  }
  const range = call.params.map('created');
  range?.only(['gt', 'gte', 'lt', 'lte']);
  const bound = (name: string, otherwise: number): number => range?.integer(name, 0) ?? otherwise;
  const [gt, gte, lt, lte] = [bound('gt', -1), bound('gte', 0), bound('lt', Infinity), bound('lte', Infinity)];
  return (item) => item.created > gt && item.created >= gte && item.created < lt && item.created <= lte;
}

/**
 * Returns a list response: the page of the account's rows (given oldest first) that pass the filter.
 * @param shown converts the rows of the page for the response
 */
export function listReply<T extends { id: string }>(
  call: Call,
  url: string,
  rows: Row<T>[],
  passes: (item: T) => boolean = () => true,
  shown: (item: T) => T = (item) => item,
): Reply {
  const items = rows.filter((row) => row.account === call.account && passes(row.value)).map((row) => row.value);
  const { data, has_more } = pageOf(call, items.reverse());
  return ok({ object: 'list', url, data: data.map(shown), has_more });
}

/** Returns the page of items that the cursors select. */
export function pageOf<T extends { id: string }>(call: Call, items: T[]): { data: T[]; has_more: boolean } {
  const limit = limitOf(call);
  const after = call.params.string('starting_after');
  const before = call.params.string('ending_before');
  if (after !== undefined && before !== undefined) {
    throw invalidRequest('Only one of starting_after and ending_before may be given.', { param: 'ending_before' });
  }
  const indexOf = (id: string, param: string): number => {
    const index = items.findIndex((item) => item.id === id);
    if (index === -1) throw noSuch('object', id, param);
    return index;
  };
  if (before !== undefined) {
    const end = indexOf(before, 'ending_before');
    const start = Math.max(0, end - limit);
    return { data: items.slice(start, end), has_more: start > 0 };
  }
  const start = after === undefined ? 0 : indexOf(after, 'starting_after') + 1;
  return { data: items.slice(start, start + limit), has_more: start + limit < items.length };
}
