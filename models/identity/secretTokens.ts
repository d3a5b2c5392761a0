/**
 * Creates and checks secret tokens, which a client receives once and presents again later. Only their digests are
 * stored.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Returns a random token of 256 bits, as 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256 in base64url: 43 characters. Also the S256 transformation of RFC 7636. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Compares a token with a stored digest in constant time. */
export function matches(token: string | null | undefined, hash: string): boolean {
  if (typeof token !== 'string') return false;
  const [actual, expected] = [Buffer.from(hashToken(token)), Buffer.from(hash)];
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
