/** Finds rows of the account that made the request. Rows of other accounts are treated as missing. */
import type { Table, Tables } from '../state/types.js';
import type { Call } from '../wire/call.js';
import { noSuch } from '../wire/errors.js';

type Owned = { [T in Table]: Tables[T] extends { account: string } ? T : never }[Table];

const KINDS: Record<Owned, string> = {
  customer: 'customer',
  payment_method: 'PaymentMethod',
  payment_intent: 'payment_intent',
  charge: 'charge',
  refund: 'refund',
  dispute: 'dispute',
  payout: 'payout',
  session: 'checkout.session',
  balance_transaction: 'balance transaction',
  event: 'notification',
  webhook_endpoint: 'webhook endpoint',
};

/** Returns the account's row, or undefined. */
export function findRow<T extends Owned>(call: Call, table: T, id: string): Tables[T] | undefined {
  const row = call.store.get(table, id);
  return row?.account === call.account ? row : undefined;
}

/**
 * Returns the account's row.
 * @throws ApiError for a missing row: 400 if a parameter named it, otherwise 404
 */
export function requireRow<T extends Owned>(call: Call, table: T, id: string, param?: string): Tables[T] {
  const row = findRow(call, table, id);
  if (row) return row;
  throw noSuch(KINDS[table], id, param);
}

/** Returns the row whose id is in the path. */
export function pathRow<T extends Owned>(call: Call, table: T, index = 0): Tables[T] {
  return requireRow(call, table, call.ids[index] ?? '');
}

/** Returns the id of a field that may hold an expanded object. */
export function idOf(value: string | { id: string } | null | undefined): string | null {
  return typeof value === 'object' ? (value?.id ?? null) : (value ?? null);
}
