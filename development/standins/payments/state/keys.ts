/** Finds the account of a secret key. Each key has its own account, unless the control port assigned another one. */
import { accountOf, keyDigest } from './identifiers.js';
import type { Store } from './store.js';
import type { KeyRow } from './types.js';

/** Returns the account and the state of a key. A key that was never changed has its own account. */
export function readKey(store: Store, secretKey: string): KeyRow {
  const row = store.get('key', keyDigest(secretKey));
  return row ?? { opens: accountOf(secretKey), revoked: false, reads_account: true };
}

/** Changes the account of a key, inside a transaction. */
export function putKey(store: Store, secretKey: string, change: Partial<KeyRow>): KeyRow {
  const changed = { ...readKey(store, secretKey), ...change };
  store.put('key', keyDigest(secretKey), changed);
  return changed;
}
