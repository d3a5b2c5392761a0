/** Whose budget a request spends. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { normalizeEmail } from '../../../models/identity/accounts.js';
import { claimsOf } from '../authentication.js';
import { parseJson } from '../body.js';
import { ipAddressOf } from '../requestFacts.js';
import type { ThrottleKey } from './scopes.js';

/** A home or an office gets a whole /64 of IPv6, so that is one caller. */
const IPV6_NETWORK = 64;

/** Of targets the handlers know. */
type RequestKey = Exclude<ThrottleKey, 'target'>;

/**
 * @param asksSession whether the route finds out that the session stands: elsewhere a token is no more than something
 *   that anybody with an account has as many of as they like, and whoever brings one is as anonymous as without
 */
const KEYS: Record<RequestKey, (request: Request, asksSession: boolean) => string | null> = {
  ip: (request) => `ip:${ipKeyGenerator(ipAddressOf(request), IPV6_NETWORK)}`,
  // Only a token that we signed names its user: a made-up one must not spend somebody else's budget.
  user: (request, asksSession) => {
    const claims = asksSession ? claimsOf(request) : null;
    return claims && `user:${claims.sub}`;
  },
  caller: (request, asksSession) => KEYS.user(request, asksSession) ?? KEYS.ip(request, asksSession),
  email: (request) => {
    const email = emailIn(request);
    return email && `email:${createHash('sha256').update(email).digest('base64url')}`;
  },
};

/** @returns the bucket, or null when a scope of this kind does not concern the request */
export const keyOf = (kind: ThrottleKey, request: Request, asksSession: boolean): string | null =>
  kind === 'target' ? null : KEYS[kind](request, asksSession);

/** Read as the route will read it: what it takes for an address is counted. */
function emailIn(request: Request): string | null {
  try {
    const { email } = (parseJson(request) ?? {}) as { email?: unknown };
    return typeof email === 'string' ? normalizeEmail(email) || null : null;
  } catch {
    // The route will say what is wrong with it.
    return null;
  }
}
