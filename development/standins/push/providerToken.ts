/**
 * Verifies the token with which a sender authenticates at APNs (Apple: 'Establishing a token-based connection to
 * APNs').
 */
import { createPublicKey } from 'node:crypto';
import { decode, verify } from 'jsonwebtoken';
import { APNS_KEY_ID, type App } from './credentials.js';

const MAX_AGE_SECONDS = 3_600;

/**
 * Verifies the provider token of a request.
 * @param key PEM of the signing key
 * @returns the reason to refuse the token; null when it is valid
 */
export function faultOfProviderToken(
  authorization: string | undefined,
  key: string,
  app: App,
  now: number,
): string | null {
  const token = /^bearer (.+)$/i.exec(authorization ?? '')?.[1];
  if (!token) return 'MissingProviderToken';
  const kid = decode(token, { complete: true })?.header.kid;
  if (kid !== APNS_KEY_ID) return 'InvalidProviderToken';
  try {
    const claims = verify(token, createPublicKey(key), { algorithms: ['ES256'], issuer: app.teamId });
    const iat = typeof claims === 'object' ? claims.iat : undefined;
    if (iat === undefined) return 'InvalidProviderToken';
    return now / 1000 - iat > MAX_AGE_SECONDS ? 'ExpiredProviderToken' : null;
  } catch {
    return 'InvalidProviderToken';
  }
}
