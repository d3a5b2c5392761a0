/**
 * JSON Web Tokens (RFC 7519) with one algorithm, several keys and several types. A token of one type is never accepted
 * as another type.
 */
import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { config } from '../../config.js';
import { databaseNow } from '../database/clock.js';

export const ACCESS_TOKEN_SECONDS = 30 * 60;
export const REFRESH_TOKEN_SECONDS = 24 * 60 * 60;

const ISSUER = 'chapter-membership-platform';
const ALGORITHM = 'HS256';
const AUDIENCE = 'chapter-membership-api';
export type TokenType = 'access' | 'refresh' | 'restore';

const Claims = z.object({
  typ: z.enum(['access', 'refresh', 'restore']),
  sub: z.uuid(),
  sid: z.uuid(),
  /**
   * The organization in which the session acts; null for platform admins, who name an organization with each request.
   */
  org: z.uuid().nullable(),
  /** How often the session had switched organizations when the token was made. Absent: never. */
  gen: z.int().optional(),
  /** Only in refresh tokens: id of the token's row. */
  jti: z.uuid().optional(),
  /** Only in an impersonation: the admin's user id. */
  imp_by: z.uuid().optional(),
  /** Only in an impersonation: the organization to which it is confined. */
  imp_org: z.uuid().optional(),
  /** Only in an impersonation: its deadline in Unix seconds. Independent of the expiry of its tokens. */
  imp_exp: z.int().optional(),
  /** Only in an impersonation: its id. Its restore token has the same id. */
  imp_sid: z.uuid().optional(),
  /**
   * Present only in restore tokens. A client that sends a restore token together with a token of the impersonation gets
   * back the admin's own session.
   */
  imp_restore: z.literal(true).optional(),
  exp: z.number(),
  iat: z.number(),
});

export type TokenClaims = z.output<typeof Claims>;
export type NewToken = Omit<TokenClaims, 'exp' | 'iat'>;
/** Additional claims in the tokens of an impersonation. */
export interface ImpersonationClaims {
  imp_by: string;
  imp_org: string;
  imp_exp: number;
  imp_sid: string;
}

const keyObjects = new Map<string, KeyObject>();

/**
 * Caches key objects. If the library got the secret as text, it would check on each call whether the text is a public
 * key. This took a third of the time of a small request (measured).
 */
function keyObject(secret: string): KeyObject {
  const key = keyObjects.get(secret) ?? createSecretKey(Buffer.from(secret));
  keyObjects.set(secret, key);
  return key;
}

const nowInSeconds = (): number => Math.floor(databaseNow() / 1000);

/**
 * Signs a token with the first of the configured keys.
 * @param seconds until it expires
 */
export function signToken(claims: NewToken, seconds: number): string {
  const [key] = config.JWT_KEYS;
  if (!key) throw new Error('JWT_KEYS is empty.');
  return jwt.sign({ ...claims, iat: nowInSeconds() }, keyObject(key.secret), {
    algorithm: ALGORITHM,
    keyid: key.id,
    issuer: ISSUER,
    audience: AUDIENCE,
    expiresIn: seconds,
  });
}

interface VerifiedToken {
  claims: TokenClaims;
  key: (typeof config.JWT_KEYS)[number];
}

/**
 * Access tokens whose signature was verified, the oldest first. An entry is valid as long as its key is still
 * configured.
 */
const verifiedTokens = new Map<string, VerifiedToken>();
const MAX_CACHED_TOKENS = 5_000;

/**
 * Verifies a token.
 * @returns the claims, or null when its signature, key, type, time, issuer or audience is wrong
 */
export function verifyToken(token: string, typ: TokenType): TokenClaims | null {
  const cached = verifiedTokens.get(token);
  const verified = cached && config.JWT_KEYS.includes(cached.key) ? cached : verify(token);
  if (!verified || verified.claims.typ !== typ || verified.claims.exp <= nowInSeconds()) return null;
  if (typ === 'access' && !cached) cacheToken(token, verified);
  return verified.claims;
}

function cacheToken(token: string, verified: VerifiedToken): void {
  verifiedTokens.set(token, verified);
  const [oldest] = verifiedTokens.keys();
  if (verifiedTokens.size > MAX_CACHED_TOKENS && oldest !== undefined) verifiedTokens.delete(oldest);
}

function verify(token: string): VerifiedToken | null {
  try {
    const header = jwt.decode(token, { complete: true })?.header;
    const key = config.JWT_KEYS.find((candidate) => candidate.id === header?.kid);
    if (!key) return null;
    const payload = jwt.verify(token, keyObject(key.secret), {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      clockTimestamp: nowInSeconds(),
    });
    return { claims: Claims.parse(payload), key };
  } catch {
    return null;
  }
}

export interface SessionTokens {
  access_token: string;
  refresh_token: string;
  /** Lifetime of the access token in seconds. */
  expires_in: number;
}

/** Extracts the impersonation claims, which the session's next tokens repeat; null for ordinary sessions. */
export function impersonationOf({ imp_by, imp_org, imp_exp, imp_sid }: TokenClaims): ImpersonationClaims | null {
  return imp_by && imp_org && imp_exp && imp_sid ? { imp_by, imp_org, imp_exp, imp_sid } : null;
}

interface TokenHolder {
  userId: string;
  sessionId: string;
  organizationId: string | null;
  /** How often the session has switched organizations. Default: 0. */
  switches?: number;
  refreshTokenId: string;
  impersonation?: ImpersonationClaims | null;
}

/** Signs the access token and the refresh token of a session. */
export function signSessionTokens(holder: TokenHolder): SessionTokens {
  const { userId, sessionId, organizationId, switches = 0, refreshTokenId, impersonation } = holder;
  const claims = { sub: userId, sid: sessionId, org: organizationId, gen: switches, ...impersonation };
  return {
    access_token: signToken({ ...claims, typ: 'access' }, ACCESS_TOKEN_SECONDS),
    refresh_token: signToken({ ...claims, typ: 'refresh', jti: refreshTokenId }, REFRESH_TOKEN_SECONDS),
    expires_in: ACCESS_TOKEN_SECONDS,
  };
}
