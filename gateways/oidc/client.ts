/**
 * OpenID Connect, authorization code flow (openid-client): state, nonce, PKCE S256, the exact issuer, also that of
 * RFC 9207, and an ID token whose signature is verified with the provider's keys.
 */
import * as oidc from 'openid-client';
import { config } from '../../config.js';
import { ForbiddenAddress, guardedFetch, UnusableAnswer } from '../http/guardedFetch.js';
import { believedOf } from './algorithms.js';
import { type Claims, type ReadClaims, readClaims } from './claims.js';
import { unusablePart } from './metadata.js';
import { knownEndpoints, type OidcProvider } from './provider.js';
import { readPublished, readPublishedAnew } from './published.js';

/** Why a provider's answer is not usable; no text of the provider is in it. */
export class OidcFailure extends Error {
  override readonly name = 'OidcFailure';

  constructor(
    readonly reason: 'provider_refused' | 'provider_unavailable' | 'response_invalid' | 'reauthentication_unproven',
    readonly code: string,
  ) {
    super(reason);
  }
}

/** What is kept of a flow until its answer comes. */
export interface OidcChecks {
  nonce: string;
  codeVerifier: string;
  /** Unix seconds. */
  startedAt: number;
  reauthenticate: boolean;
}

export const newChecks = (reauthenticate: boolean): OidcChecks => ({
  nonce: oidc.randomNonce(),
  codeVerifier: oidc.randomPKCECodeVerifier(),
  startedAt: Math.floor(Date.now() / 1000),
  reauthenticate,
});

const TIMEOUT_SECONDS = 10;
/** Clocks of a provider and ours may differ by this much. */
const SKEW_SECONDS = 60;

/** The library sends forms, and follows no redirects. It asks for keys when what it was given has not the right one. */
const fetchFor =
  ({ revision }: OidcProvider, keysUrl: string | undefined): oidc.CustomFetch =>
  (url, asking) =>
    url === keysUrl
      ? readPublishedAnew(revision, url)
      : guardedFetch(url, asking as Parameters<typeof guardedFetch>[1]);

/** Old enough for the library to ask again for a key that is not there, young enough to be used. */
const KEYS_LOOK_OLD_SECONDS = 120;

/** @throws OidcFailure */
export async function connect(settings: OidcProvider): Promise<oidc.Configuration> {
  const known = knownEndpoints(settings);
  const client = known ? new oidc.Configuration({ ...known }, settings.clientId) : await discover(settings);
  const unusable = unusablePart(client.serverMetadata());
  if (unusable !== null) throw new OidcFailure('response_invalid', unusable);
  const { token_endpoint_auth_methods_supported: methods } = client.serverMetadata();
  const byPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
  const authentication = byPost ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
  const found: oidc.ServerMetadata = client.serverMetadata();
  const ready = new oidc.Configuration(
    { ...found, id_token_signing_alg_values_supported: believedOf(found.id_token_signing_alg_values_supported) },
    settings.clientId,
    { [oidc.clockTolerance]: SKEW_SECONDS },
    authentication(settings.clientSecret),
  );
  ready[oidc.customFetch] = fetchFor(settings, found.jwks_uri);
  ready.timeout = TIMEOUT_SECONDS;
  if (config.SSO_ALLOW_PRIVATE_ADDRESSES) oidc.allowInsecureRequests(ready);
  // Without it the library trusts the connection to the token endpoint instead of the signature.
  oidc.enableNonRepudiationChecks(ready);
  return ready;
}

async function discover({ issuer, clientId, revision }: OidcProvider): Promise<oidc.Configuration> {
  try {
    return await oidc.discovery(new URL(issuer ?? ''), clientId, undefined, oidc.None(), {
      [oidc.customFetch]: (url) => readPublished(revision, url),
      timeout: TIMEOUT_SECONDS,
      execute: config.SSO_ALLOW_PRIVATE_ADDRESSES ? [oidc.allowInsecureRequests] : [],
    });
  } catch (error) {
    throw failureOf(error);
  }
}

/** What a sign-in is begun with. */
export interface Beginning {
  redirectUri: string;
  scopes: string;
  state: string;
  checks: OidcChecks;
}

/** Where the browser goes. @throws OidcFailure */
export async function authorizationUrl(
  client: oidc.Configuration,
  { redirectUri, scopes, state, checks }: Beginning,
): Promise<string> {
  const code_challenge = await oidc.calculatePKCECodeChallenge(checks.codeVerifier);
  try {
    const url = oidc.buildAuthorizationUrl(client, {
      redirect_uri: redirectUri,
      scope: scopes,
      state,
      nonce: checks.nonce,
      code_challenge,
      code_challenge_method: 'S256',
      ...(checks.reauthenticate ? { max_age: '0', prompt: 'login' } : {}),
    });
    return url.href;
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * Redeems the code of a callback.
 * @param callback the redirect URI as it was registered, with the query that the browser brought
 * @throws OidcFailure
 */
export async function redeem(
  settings: OidcProvider,
  callback: URL,
  state: string,
  checks: OidcChecks,
): Promise<ReadClaims & { issuer: string }> {
  const client = await connect(settings);
  const jwks = await publishedKeys(client, settings);
  oidc.setJwksCache(client, { jwks, uat: Math.floor(Date.now() / 1000) - KEYS_LOOK_OLD_SECONDS });
  const claims = await claimsOf(client, settings, callback, state, checks);
  const read = readClaims(settings, claims);
  if (checks.reauthenticate) requireFreshProof(read.authenticatedAt, checks.startedAt);
  return { ...read, issuer: client.serverMetadata().issuer };
}

async function claimsOf(
  client: oidc.Configuration,
  settings: OidcProvider,
  callback: URL,
  state: string,
  checks: OidcChecks,
): Promise<Claims> {
  try {
    const tokens = await oidc.authorizationCodeGrant(client, callback, {
      expectedState: state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.codeVerifier,
      idTokenExpected: true,
    });
    const proven = tokens.claims() as Claims & { sub: string };
    if (proven['email'] !== undefined || !asksUserinfo(client, settings)) return proven;
    // The library refuses userinfo about anybody but the subject of the ID token. What vouches comes with what it is for.
    const { email_verified: _, ...token } = proven;
    return { ...(await oidc.fetchUserInfo(client, tokens.access_token, proven.sub)), ...token };
  } catch (error) {
    throw failureOf(error);
  }
}

/** The cloud-office provider vouches for the address in the same ID token only. */
const asksUserinfo = (client: oidc.Configuration, { provider }: OidcProvider): boolean =>
  provider !== 'cloud_office' && client.serverMetadata().userinfo_endpoint !== undefined;

/** `max_age=0` asked for it (OpenID Connect Core 3.1.2.1); a provider that says nothing has proven nothing. */
function requireFreshProof(authenticatedAt: Date | null, startedAt: number): void {
  if (authenticatedAt !== null && authenticatedAt.getTime() / 1000 >= startedAt - SKEW_SECONDS) return;
  throw new OidcFailure('reauthentication_unproven', 'auth_time');
}

/**
 * The keys that the provider publishes (RFC 7517, 5).
 * @param anew none of those that were kept was the right one
 * @throws OidcFailure
 */
export async function publishedKeys(
  client: oidc.Configuration,
  { revision }: OidcProvider,
  anew = false,
): Promise<{ keys: Record<string, unknown>[] }> {
  const url = client.serverMetadata().jwks_uri as string;
  try {
    const response = await (anew ? readPublishedAnew(revision, url) : readPublished(revision, url));
    if (response.status !== 200) throw new OidcFailure('response_invalid', 'jwks');
    const { keys } = (await response.json()) as { keys?: unknown };
    if (!Array.isArray(keys) || !keys.every(isObject)) throw new OidcFailure('response_invalid', 'jwks');
    return { keys };
  } catch (error) {
    throw failureOf(error);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Codes of the library for answers that did not come, or were not asked for. */
const OF_THE_WAY = new Set<unknown>(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_HTTP_REQUEST_FORBIDDEN']);

function failureOf(error: unknown): OidcFailure {
  if (error instanceof OidcFailure) return error;
  if (error instanceof oidc.AuthorizationResponseError) return new OidcFailure('provider_refused', 'authorization');
  if (error instanceof oidc.ResponseBodyError) return new OidcFailure('provider_refused', 'token');
  const refused = causesOf(error).find((cause) => cause instanceof ForbiddenAddress || cause instanceof UnusableAnswer);
  if (refused instanceof UnusableAnswer) return new OidcFailure('response_invalid', refused.code);
  if (refused) return new OidcFailure('provider_unavailable', refused.code);
  const { code } = error as { code?: unknown };
  const ofTheWay = !(error instanceof oidc.ClientError) || OF_THE_WAY.has(code);
  return new OidcFailure(
    ofTheWay ? 'provider_unavailable' : 'response_invalid',
    typeof code === 'string' ? code : 'no_answer',
  );
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause);
  return causes;
}
