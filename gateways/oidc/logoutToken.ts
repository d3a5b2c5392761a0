/**
 * Logout tokens, with which a provider says that it ended a session (OpenID Connect Back-Channel Logout 1.0, 2.4 to
 * 2.6).
 */
import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { connect, OidcFailure, publishedKeys } from './client.js';
import type { OidcProvider } from './provider.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/**
 * Maximum age of a logout token. Providers use two minutes, as the standard recommends; an older token may be a replay.
 */
const MAX_AGE_SECONDS = 10 * 60;
const SKEW_SECONDS = 60;
/** Accepted values of the header `typ`; older providers send none, or JWT. */
const HEADER_TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'logout+jwt']);

export interface LogoutToken {
  issuer: string;
  /** The ended session at the provider. Null: all sessions of the subject ended. */
  sessionId: string | null;
  /** The user at the provider. Never null if `sessionId` is null. */
  subject: string | null;
  /** The id of the token (`jti`); each token is accepted once. */
  id: string;
  expiresAt: Date;
}

/**
 * Verifies a logout token.
 * @param nowMs the time of the database's clock
 * @throws OidcFailure `response_invalid` with the name of the faulty part as code; `provider_unavailable` if the
 * provider's keys cannot be read
 */
export async function readLogoutToken(settings: OidcProvider, token: string, nowMs: number): Promise<LogoutToken> {
  // Checks the audience first: a token for another client causes no request to the provider.
  if (!isFor(unverified(token)['aud'], settings.clientId)) throw refused('aud');
  const client = await connect(settings);
  const { issuer, id_token_signing_alg_values_supported: algorithms } = client.serverMetadata();
  const options = {
    algorithms: algorithms as string[],
    issuer,
    audience: settings.clientId,
    clockTolerance: SKEW_SECONDS,
    maxTokenAge: MAX_AGE_SECONDS,
    currentDate: new Date(nowMs),
  };
  const verify = async (refresh: boolean) => {
    const keys = createLocalJWKSet(await publishedKeys(client, settings, refresh));
    return jwtVerify(token, keys, options);
  };
  try {
    const { payload, protectedHeader } = await verify(false).catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey) return verify(true);
      throw error;
    });
    if (!HEADER_TYPES.has(protectedHeader.typ?.toLowerCase().replace('application/', ''))) throw refused('typ');
    return { issuer, ...namedBy(payload) };
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refused(error.code);
    throw error;
  }
}

const refused = (code: string): OidcFailure => new OidcFailure('response_invalid', code);

function unverified(token: string): JWTPayload {
  try {
    return decodeJwt(token);
  } catch {
    throw refused('malformed');
  }
}

const isFor = (audience: unknown, clientId: string): boolean => [audience].flat().includes(clientId);

/**
 * Reads the claims of a logout token. Refuses an ID token, which is signed with the same key but has a nonce and no
 * logout event.
 */
function namedBy({ iat, exp, jti, sub, sid, nonce, events }: JWTPayload): Omit<LogoutToken, 'issuer'> {
  if (nonce !== undefined) throw refused('nonce');
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined;
  if (typeof event !== 'object' || event === null) throw refused('events');
  if (typeof jti !== 'string' || jti === '' || iat === undefined) throw refused('jti');
  const named = { sessionId: textOf(sid), subject: textOf(sub) };
  if (named.sessionId === null && named.subject === null) throw refused('sub');
  const until = Math.min(exp ?? Number.POSITIVE_INFINITY, iat + MAX_AGE_SECONDS) + 2 * SKEW_SECONDS;
  return { ...named, id: jti, expiresAt: new Date(until * 1000) };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
