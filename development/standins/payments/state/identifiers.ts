/** Ids in Stripe's formats. */
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** Returns a new id such as `pi_3Q…`. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${randomText(length)}`;
}

/** Returns the digest under which a secret key is stored. The key itself is never stored. */
export const keyDigest = (secretKey: string): string => createHash('sha256').update(secretKey).digest('hex');

/** Returns the account that a secret key belongs to by default. */
export const accountOf = (secretKey: string): string => `acct_${keyDigest(secretKey).slice(0, 16)}`;
