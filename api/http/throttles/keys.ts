/** Throttle keys: the budget that a request uses. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { normalizeEmail } from '../../../models/identity/accounts.js';
import { claimsOf } from '../authentication.js';
import { parseJson } from '../body.js';
import { ipAddressOf } from '../requestFacts.js';
import type { ThrottleKey } from './scopes.js';

/** A home or an office gets a whole IPv6 /64, so it counts as one caller. */
const IPV6_NETWORK = 64;

/** Keys that middleware can determine. A `target` key is determined by the handler. */
type RequestKey = Exclude<ThrottleKey, 'target'>;

/**
 * Functions that determine the throttle key of a request.
 * @param verifiesSession whether the route verifies the session; elsewhere a token proves nothing and its bearer counts
 * as anonymous
 */
const KEYS: Record<RequestKey, (request: Request, verifiesSession: boolean) => string | null> = {
  ip: (request) => `ip:${ipKeyGenerator(ipAddressOf(request), IPV6_NETWORK)}`,
  // Only a token that we signed names its user: a forged one must not use another user's budget.
  user: (request, verifiesSession) => {
    const claims = verifiesSession ? claimsOf(request) : null;
    return claims && `user:${claims.sub}`;
  },
  caller: (request, verifiesSession) => KEYS.user(request, verifiesSession) ?? KEYS.ip(request, verifiesSession),
  email: (request) => {
    const email = emailIn(request);
    return email && `email:${createHash('sha256').update(email).digest('base64url')}`;
  },
};

/**
 * Returns the key of a request's budget.
 * @returns null when a scope of this kind does not apply to the request
 */
export const keyOf = (kind: ThrottleKey, request: Request, verifiesSession: boolean): string | null =>
  kind === 'target' ? null : KEYS[kind](request, verifiesSession);

/** Reads the email address in the body as the route will read it. */
function emailIn(request: Request): string | null {
  try {
    const { email } = (parseJson(request) ?? {}) as { email?: unknown };
    return typeof email === 'string' ? normalizeEmail(email) || null : null;
  } catch {
    // A body that cannot be parsed has no email address. The route reports the fault later.
    return null;
  }
}
