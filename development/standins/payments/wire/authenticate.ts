/** Authentication: the secret key in the Authorization header determines the account. */
import { readKey } from '../state/keys.js';
import type { Store } from '../state/store.js';
import { unauthenticated } from './errors.js';
import type { Exchange } from '../../kit/exchange.js';

export interface Identity {
  account: string;
  livemode: boolean;
  readsAccount: boolean;
}

/** Returns the secret key from the Authorization header. Basic authorization has the key as the user name. */
function keyOf(header: string | null): string | null {
  const [scheme, value] = (header ?? '').split(' ');
  if (value === undefined || value === '') return null;
  if (scheme?.toLowerCase() === 'bearer') return value;
  if (scheme?.toLowerCase() === 'basic') return Buffer.from(value, 'base64').toString('utf8').split(':')[0] ?? null;
  return null;
}

/** Returns the key's account. @throws ApiError (401) without a valid key */
export function authenticateKey(exchange: Exchange, store: Store): Identity {
  const key = keyOf(exchange.header('authorization'));
  if (key === null) {
    throw unauthenticated(
      "You did not provide an API key. Provide your secret key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  if (!/^(sk|rk)_\w+$/.test(key) || key.startsWith('sk_invalid')) {
    throw unauthenticated(`Invalid API Key provided: ${key.slice(0, 7)}${'*'.repeat(8)}`);
  }
  const { opens: account, revoked, reads_account: readsAccount } = readKey(store, key);
  if (revoked) throw unauthenticated(`Expired API Key provided: ${key.slice(0, 7)}${'*'.repeat(8)}`);
  return { account, livemode: /^(sk|rk)_live_/.test(key), readsAccount };
}
