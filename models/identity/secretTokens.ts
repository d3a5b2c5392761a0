/** Tokens that a caller has to show again, and what is kept of them. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits, as 43 characters. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256 in base64url: 43 characters. Also the S256 transformation of RFC 7636. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

/** Compares a token with a stored digest, in a time that does not depend on where they differ. */
export function matches(token: string | null | undefined, hash: string): boolean {
  if (typeof token !== 'string') return false;
  const [given, kept] = [Buffer.from(hashToken(token)), Buffer.from(hash)];
  return given.length === kept.length && timingSafeEqual(given, kept);
}
