/** Turns a credential into the SQL that loads its actor. */
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import type { TransactionPreamble } from '../../models/database/tenancy.js';
import { defineErrors, type Refusal, refuse } from '../../models/errors.js';
import type { PersonFacts } from '../../models/identity/Actor.js';
import { identityErrors } from '../../models/identity/errors.js';
import { type TokenClaims, verifyToken } from '../../models/identity/tokens.js';

export const authenticationErrors = defineErrors({
  token_invalid: [401, 'This access token is invalid or has expired. Sign in again or refresh it.'],
  token_superseded: [
    401,
    'This access token is out of date, because its session has switched to another organization. Use the tokens that the switch returned, or sign in again.',
  ],
  step_up_required: [403, 'This needs an authentication within the last 15 minutes. Authenticate again (step-up).'],
  password_change_required: [403, 'Change your password first.'],
});

const UUID = z.uuid();

/** The access token: the cookie first, then the bearer header (spec: Credential transport). */
function accessTokenOf(request: Request): string | null {
  const cookie = (request.cookies as Record<string, unknown> | undefined)?.['access_token'];
  if (typeof cookie === 'string' && cookie !== '') return cookie;
  return /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

// Key under which a request keeps the claims of its token. Throttles, the route and the log all need them, but the
// token is verified only once.
const CLAIMS = Symbol('claims');

/**
 * Returns the claims of the caller's access token if its signature and dates are valid, otherwise null. Whether its
 * session is valid is not known yet.
 */
export function claimsOf(request: Request & { [CLAIMS]?: TokenClaims | null }): TokenClaims | null {
  if (request[CLAIMS] !== undefined) return request[CLAIMS];
  const token = accessTokenOf(request);
  return (request[CLAIMS] = token === null ? null : verifyToken(token, 'access'));
}

/**
 * Cache of tokens that can never become valid again. A cached token is refused without a database query, because
 * refused tokens use no throttle budget and so must cost nothing.
 */
const refusedTokens = new WeakMap<TokenClaims, Refusal>();

/** The permanent refusal of a token, if there was one. */
export const refusalOfToken = (claims: TokenClaims | null): Refusal | null =>
  (claims && refusedTokens.get(claims)) ?? null;

/**
 * Refuses a token that was permanently refused before.
 * @throws Refusal session_ended, token_superseded
 */
export const refuseRejectedToken: RequestHandler = (request, _response, next) => {
  const refusal = refusalOfToken(claimsOf(request));
  if (refusal) throw refusal;
  next();
};

/**
 * Returns the claims of a valid access token.
 * @throws Refusal not_authenticated, token_invalid
 */
export function authenticate(request: Request): TokenClaims {
  if (!accessTokenOf(request)) throw refuse.not_authenticated();
  const claims = claimsOf(request);
  if (!claims) throw authenticationErrors.token_invalid();
  return claims;
}

/**
 * Preamble of a transaction that sets the tenant and loads the actor.
 * @throws Refusal validation_error for a malformed header
 */
export function actorPreamble(claims: TokenClaims, request: Request, whole = true): TransactionPreamble {
  const { sid, sub, org, gen = 0 } = claims;
  const header = requestedOrganization(request);
  return ({ statementMs, lockMs }) => ({
    text: LOAD_ACTOR,
    values: [sid, sub, org, header, statementMs, gen, lockMs, whole],
    prepared: true,
  });
}

function requestedOrganization(request: Request): string | null {
  const header = request.headers['x-organization-id'];
  if (header === undefined) return null;
  if (UUID.safeParse(header).success) return String(header);
  throw refuse.validation_error(undefined, { 'X-Organization-Id': ['Must be a UUID.'] });
}

const LOAD_ACTOR = `SELECT app.load_actor($1, $2, $3, $4, $5, $8, $6) AS actor, set_config('lock_timeout', $7, true)`;
/**
 * Returns the facts about the caller from the loaded row. They are complete `ActorFacts` if the row was loaded by
 * `actorPreamble` with `whole`.
 */
export function personFacts(
  row: Record<string, unknown> | undefined,
  claims: TokenClaims,
  isLatest = true,
): PersonFacts {
  const facts = row?.['actor'] as (PersonFacts & { refusal?: string; for_good?: boolean }) | undefined;
  if (facts?.refusal === 'organization_forbidden') throw refuse.organization_forbidden();
  if (facts?.refusal === 'organization_not_found') throw refuse.not_found('There is no such organization.');
  if (facts && !facts.refusal) return facts;
  const refusal =
    facts?.refusal === 'token_superseded' ? authenticationErrors.token_superseded() : identityErrors.session_ended();
  if (facts?.for_good && isLatest) refusedTokens.set(claims, refusal);
  throw refusal;
}
