/** Identifiers in Stripe's shapes. */
import { createHash, randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Random letters and digits. */
export function randomText(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += ALPHABET[byte % ALPHABET.length];
  return text;
}

/** A new identifier such as `pi_3Q…`. */
export function newId(prefix: string, length = 24): string {
  return `${prefix}_${randomText(length)}`;
}

/** What a secret key is kept as. The key itself is never stored. */
export const keyDigest = (secretKey: string): string => createHash('sha256').update(secretKey).digest('hex');

/** The account that a secret key has for itself. */
export const accountOf = (secretKey: string): string => `acct_${keyDigest(secretKey).slice(0, 16)}`;
