/** Logout tokens, by which a provider says that it ended a session (OpenID Connect Back-Channel Logout 1.0, 2.4 to 2.6). */
import { createLocalJWKSet, decodeJwt, errors, type JWTPayload, jwtVerify } from 'jose';
import { connect, OidcFailure, publishedKeys } from './client.js';
import type { OidcProvider } from './provider.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
/** Providers give theirs two minutes, as the standard recommends; what is older may be somebody who kept it. */
const LONGEST_SECONDS = 10 * 60;
const SKEW_SECONDS = 60;
/** `typ` of the header; older providers say nothing, or JWT. */
const HEADER_TYPES: ReadonlySet<unknown> = new Set([undefined, 'jwt', 'logout+jwt']);

export interface LogoutToken {
  issuer: string;
  /** Of the provider's session; null: all of the person's. */
  sessionId: string | null;
  /** Never null when `sessionId` is. */
  subject: string | null;
  /** Its own: it counts once. */
  id: string;
  expiresAt: Date;
}

/**
 * @param nowMs by the database's clock
 * @throws OidcFailure response_invalid, with what is wrong as code; provider_unavailable when its keys cannot be read
 */
export async function readLogoutToken(settings: OidcProvider, token: string, nowMs: number): Promise<LogoutToken> {
  // What is not even said to be for us costs the provider no question.
  if (!isFor(unverified(token)['aud'], settings.clientId)) throw refused('aud');
  const client = await connect(settings);
  const { issuer, id_token_signing_alg_values_supported: algorithms } = client.serverMetadata();
  const options = {
    algorithms: algorithms as string[],
    issuer,
    audience: settings.clientId,
    clockTolerance: SKEW_SECONDS,
    maxTokenAge: LONGEST_SECONDS,
    currentDate: new Date(nowMs),
  };
  const verify = async (anew: boolean) => {
    const keys = createLocalJWKSet(await publishedKeys(client, settings, anew));
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

/** An ID token, which the same key signs, has a nonce and no such event. */
function namedBy({ iat, exp, jti, sub, sid, nonce, events }: JWTPayload): Omit<LogoutToken, 'issuer'> {
  if (nonce !== undefined) throw refused('nonce');
  const event = typeof events === 'object' && events !== null ? (events as Record<string, unknown>)[EVENT] : undefined;
  if (typeof event !== 'object' || event === null) throw refused('events');
  if (typeof jti !== 'string' || jti === '' || iat === undefined) throw refused('jti');
  const named = { sessionId: textOf(sid), subject: textOf(sub) };
  if (named.sessionId === null && named.subject === null) throw refused('sub');
  const until = Math.min(exp ?? Number.POSITIVE_INFINITY, iat + LONGEST_SECONDS) + 2 * SKEW_SECONDS;
  return { ...named, id: jti, expiresAt: new Date(until * 1000) };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
