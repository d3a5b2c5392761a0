/** JSON Web Tokens (RFC 7519): one algorithm, a key ring, and types that never stand in for one another. */
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
  /** The organization that the session acts in; platform admins name theirs with each request. */
  org: z.uuid().nullable(),
  /** How often the session had moved to another organization when the token was made; left out: never. */
  gen: z.int().optional(),
  /** Row of the refresh token. */
  jti: z.uuid().optional(),
  /** In a session in which an admin sees what a member sees: the admin's user id. */
  imp_by: z.uuid().optional(),
  /** The organization that such a session is pinned to. */
  imp_org: z.uuid().optional(),
  /** Its deadline, in Unix seconds, whatever its tokens' own. */
  imp_exp: z.int().optional(),
  /** Its id, which its restore token shares. */
  imp_sid: z.uuid().optional(),
  /** Of restore tokens: brings the admin's own session back, together with a token of the other. */
  imp_restore: z.literal(true).optional(),
  exp: z.number(),
  iat: z.number(),
});

export type TokenClaims = z.output<typeof Claims>;
export type NewToken = Omit<TokenClaims, 'exp' | 'iat'>;
/** What the tokens of an impersonation say of it. */
export interface ImpersonationClaims {
  imp_by: string;
  imp_org: string;
  imp_exp: number;
  imp_sid: string;
}

const keyObjects = new Map<string, KeyObject>();

/** Given text, the library would try each time whether it is a public key: a third of a small request's work (measured). */
function keyObject(secret: string): KeyObject {
  const key = keyObjects.get(secret) ?? createSecretKey(Buffer.from(secret));
  keyObjects.set(secret, key);
  return key;
}

const nowInSeconds = (): number => Math.floor(databaseNow() / 1000);

/** Signs with the ring's first key. @param seconds until it expires */
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

interface Verified {
  claims: TokenClaims;
  key: (typeof config.JWT_KEYS)[number];
}

/** Access tokens whose signature held, the oldest first. It holds for as long as its key is in the ring. */
const verifiedBefore = new Map<string, Verified>();
const MOST_REMEMBERED = 5_000;

/** @returns the claims, or null when anything about the token is not right: signature, key, type, time, issuer, audience */
export function verifyToken(token: string, typ: TokenType): TokenClaims | null {
  const before = verifiedBefore.get(token);
  const verified = before && config.JWT_KEYS.includes(before.key) ? before : verify(token);
  if (!verified || verified.claims.typ !== typ || verified.claims.exp <= nowInSeconds()) return null;
  if (typ === 'access' && !before) remember(token, verified);
  return verified.claims;
}

function remember(token: string, verified: Verified): void {
  verifiedBefore.set(token, verified);
  const [oldest] = verifiedBefore.keys();
  if (verifiedBefore.size > MOST_REMEMBERED && oldest !== undefined) verifiedBefore.delete(oldest);
}

function verify(token: string): Verified | null {
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
  /** Seconds that the access token holds. */
  expires_in: number;
}

/** What the next tokens of the session have to say again; null for ordinary sessions. */
export function impersonationOf({ imp_by, imp_org, imp_exp, imp_sid }: TokenClaims): ImpersonationClaims | null {
  return imp_by && imp_org && imp_exp && imp_sid ? { imp_by, imp_org, imp_exp, imp_sid } : null;
}

interface TokenHolder {
  userId: string;
  sessionId: string;
  organizationId: string | null;
  /** Of the session, so far. Left out: none. */
  switches?: number;
  refreshTokenId: string;
  impersonation?: ImpersonationClaims | null;
}

/** The pair of tokens that a session's client keeps. */
export function signSessionTokens(holder: TokenHolder): SessionTokens {
  const { userId, sessionId, organizationId, switches = 0, refreshTokenId, impersonation } = holder;
  const claims = { sub: userId, sid: sessionId, org: organizationId, gen: switches, ...impersonation };
  return {
    access_token: signToken({ ...claims, typ: 'access' }, ACCESS_TOKEN_SECONDS),
    refresh_token: signToken({ ...claims, typ: 'refresh', jti: refreshTokenId }, REFRESH_TOKEN_SECONDS),
    expires_in: ACCESS_TOKEN_SECONDS,
  };
}
