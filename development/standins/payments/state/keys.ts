/** Which account a secret key opens: its own, unless the control port has said otherwise. */
import { accountOf, keyDigest } from './identifiers.js';
import type { Store } from './store.js';
import type { KeyRow } from './types.js';

/** What is known of a key. */
export function readKey(store: Store, secretKey: string): KeyRow {
  const known = store.get('key', keyDigest(secretKey));
  return known ?? { opens: accountOf(secretKey), revoked: false, reads_account: true };
}

/** Changes what a key opens, inside a transaction. */
export function putKey(store: Store, secretKey: string, change: Partial<KeyRow>): KeyRow {
  const changed = { ...readKey(store, secretKey), ...change };
  store.put('key', keyDigest(secretKey), changed);
  return changed;
}
