/** `expand[]`: replaces ids in an answer by the objects that they refer to. */
import type { Table } from '../state/types.js';
import type { Call } from '../wire/call.js';
import { invalidRequest } from '../wire/errors.js';
import { refundsOfCharge } from './refundList.js';

type Json = Record<string, unknown>;

const BY_PREFIX: Record<string, Table> = {
  cus: 'customer',
  pm: 'payment_method',
  pi: 'payment_intent',
  ch: 'charge',
  re: 'refund',
  dp: 'dispute',
  po: 'payout',
  cs: 'session',
  txn: 'balance_transaction',
};

const MAX_DEPTH = 4;

/** Returns a copy of the body with all requested paths expanded. */
export function expanded(call: Call, body: object): object {
  const paths = call.params.strings('expand');
  if (paths.length === 0) return body;
  const copy = structuredClone(body) as Json;
  for (const path of paths) {
    const segments = path.split('.');
    if (segments.length > MAX_DEPTH) {
      throw invalidRequest(`Properties can be expanded at most ${MAX_DEPTH} levels deep.`, { param: 'expand' });
    }
    expandPath(call, copy, segments, path);
  }
  return copy;
}

function expandPath(call: Call, node: Json, segments: string[], path: string): void {
  const [head, ...rest] = segments;
  if (head === undefined) return;
  if (!(head in node)) include(call, node, head, path);
  const value = node[head];
  if (value === null) return;
  if (Array.isArray(value)) {
    for (const item of value as Json[]) expandPath(call, item, rest, path);
    return;
  }
  const object = typeof value === 'string' ? lookUp(call, value) : (value as Json);
  if (object === undefined) throw notExpandable(path);
  node[head] = object;
  expandPath(call, object, rest, path);
}

/**
 * Adds a list that an object contains only when the request expands it: line items of a session, or refunds of a
 * charge.
 */
function include(call: Call, node: Json, name: string, path: string): void {
  const id = String(node['id']);
  const session = node['object'] === 'checkout.session' && name === 'line_items' ? call.store.get('session', id) : null;
  if (session) {
    const url = `/v1/checkout/sessions/${id}/line_items`;
    node[name] = { object: 'list', data: structuredClone(session.lineItems), has_more: false, url };
  } else if (node['object'] === 'charge' && name === 'refunds') {
    const data = structuredClone(refundsOfCharge(call, id));
    node[name] = { object: 'list', data, has_more: false, url: `/v1/charges/${id}/refunds` };
  } else {
    throw notExpandable(path);
  }
}

function lookUp(call: Call, id: string): Json | undefined {
  const table = BY_PREFIX[id.slice(0, id.indexOf('_'))];
  const row = table && call.store.get(table, id);
  if (!row || !('account' in row) || row.account !== call.account) return undefined;
  return structuredClone(row.value) as unknown as Json;
}

function notExpandable(path: string): Error {
  return invalidRequest(`This property cannot be expanded (${path}).`, { param: 'expand' });
}
