/**
 * Signs users in with OpenID Connect (authorization code flow, openid-client). It checks state, nonce and PKCE S256,
 * requires the exact issuer (also in the callback, RFC 9207), and verifies the ID token's signature with the provider's
 * keys.
 */
import * as oidc from 'openid-client';
import { config } from '../../config.js';
import { ForbiddenAddress, guardedFetch, UnusableAnswer } from '../http/guardedFetch.js';
import { acceptedAlgorithms } from './algorithms.js';
import { type Claims, type ReadClaims, readClaims } from './claims.js';
import { findUnusableField } from './metadata.js';
import { knownEndpoints, type OidcProvider } from './provider.js';
import { readPublished, refreshPublished } from './published.js';

/**
 * Thrown if a provider refuses, does not respond, or sends an unusable response. It contains no text of the provider.
 */
export class OidcFailure extends Error {
  override readonly name = 'OidcFailure';

  constructor(
    readonly reason: 'provider_refused' | 'provider_unavailable' | 'response_invalid' | 'reauthentication_unproven',
    readonly code: string,
  ) {
    super(reason);
  }
}

/** The values of a flow that are stored until the provider's answer arrives. */
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
/** The tolerated difference between a provider's clock and ours. */
const SKEW_SECONDS = 60;

/**
 * Returns the fetch function for the library; it follows no redirects. If a token names a key that the library does not
 * have, the library requests the provider's keys again. That request goes through the cache of keys.
 */
const fetchFor =
  ({ revision }: OidcProvider, keysUrl: string | undefined): oidc.CustomFetch =>
  (url, options) =>
    url === keysUrl
      ? refreshPublished(revision, url)
      : guardedFetch(url, options as Parameters<typeof guardedFetch>[1]);

/**
 * The age that is reported to the library for cached keys. It is old enough that the library fetches the keys again for
 * an unknown key, and young enough that the library uses them.
 */
const PRETENDED_KEYS_AGE_SECONDS = 120;

/**
 * Returns a configured client.
 * @throws OidcFailure
 */
export async function connect(settings: OidcProvider): Promise<oidc.Configuration> {
  const endpoints = knownEndpoints(settings);
  const client = endpoints ? new oidc.Configuration({ ...endpoints }, settings.clientId) : await discover(settings);
  const unusable = findUnusableField(client.serverMetadata());
  if (unusable !== null) throw new OidcFailure('response_invalid', unusable);
  const { token_endpoint_auth_methods_supported: methods } = client.serverMetadata();
  const byPost = methods?.includes('client_secret_post') && !methods.includes('client_secret_basic');
  const authentication = byPost ? oidc.ClientSecretPost : oidc.ClientSecretBasic;
  const metadata: oidc.ServerMetadata = client.serverMetadata();
  const configured = new oidc.Configuration(
    {
      ...metadata,
      id_token_signing_alg_values_supported: acceptedAlgorithms(metadata.id_token_signing_alg_values_supported),
    },
    settings.clientId,
    { [oidc.clockTolerance]: SKEW_SECONDS },
    authentication(settings.clientSecret),
  );
  configured[oidc.customFetch] = fetchFor(settings, metadata.jwks_uri);
  configured.timeout = TIMEOUT_SECONDS;
  if (config.SSO_ALLOW_PRIVATE_ADDRESSES) oidc.allowInsecureRequests(configured);
  // Without this the library trusts the TLS connection to the token endpoint instead of verifying the signature.
  oidc.enableNonRepudiationChecks(configured);
  return configured;
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

export interface AuthorizationRequest {
  redirectUri: string;
  scopes: string;
  state: string;
  checks: OidcChecks;
}

/**
 * Returns the URL to which the browser is redirected.
 * @throws OidcFailure
 */
export async function authorizationUrl(
  client: oidc.Configuration,
  { redirectUri, scopes, state, checks }: AuthorizationRequest,
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
 * Redeems the authorization code of a callback.
 * @param callback the registered redirect URI with the query of the request
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
  oidc.setJwksCache(client, { jwks, uat: Math.floor(Date.now() / 1000) - PRETENDED_KEYS_AGE_SECONDS });
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
    const idClaims = tokens.claims() as Claims & { sub: string };
    if (idClaims['email'] !== undefined || !usesUserinfo(client, settings)) return idClaims;
    // Combine the claims of the ID token and of userinfo. The library refuses userinfo about a different subject.
    // `email_verified` of the ID token is dropped, because it must come from the same response as the address.
    const { email_verified: _, ...token } = idClaims;
    return { ...(await oidc.fetchUserInfo(client, tokens.access_token, idClaims.sub)), ...token };
  } catch (error) {
    throw failureOf(error);
  }
}

/**
 * Reports whether userinfo is requested. The provider cloud_office vouches for the email address only in the ID token,
 * so its userinfo is not used.
 */
const usesUserinfo = (client: oidc.Configuration, { provider }: OidcProvider): boolean =>
  provider !== 'cloud_office' && client.serverMetadata().userinfo_endpoint !== undefined;

/**
 * Requires a fresh authentication, which `max_age=0` requested (OpenID Connect Core, 3.1.2.1). A missing `auth_time`
 * proves nothing.
 */
function requireFreshProof(authenticatedAt: Date | null, startedAt: number): void {
  if (authenticatedAt !== null && authenticatedAt.getTime() / 1000 >= startedAt - SKEW_SECONDS) return;
  throw new OidcFailure('reauthentication_unproven', 'auth_time');
}

/**
 * Returns the published keys of the provider (RFC 7517, 5).
 * @param refresh true: fetches the keys again, because the cached ones do not include the key that is needed
 * @throws OidcFailure
 */
export async function publishedKeys(
  client: oidc.Configuration,
  { revision }: OidcProvider,
  refresh = false,
): Promise<{ keys: Record<string, unknown>[] }> {
  const url = client.serverMetadata().jwks_uri as string;
  try {
    const response = await (refresh ? refreshPublished(revision, url) : readPublished(revision, url));
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

/** Error codes that the OpenID library gives if no response arrived or if the request was not sent. */
const NETWORK_CODES = new Set<unknown>(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_HTTP_REQUEST_FORBIDDEN']);

function failureOf(error: unknown): OidcFailure {
  if (error instanceof OidcFailure) return error;
  if (error instanceof oidc.AuthorizationResponseError) return new OidcFailure('provider_refused', 'authorization');
  if (error instanceof oidc.ResponseBodyError) return new OidcFailure('provider_refused', 'token');
  const refused = causesOf(error).find((cause) => cause instanceof ForbiddenAddress || cause instanceof UnusableAnswer);
  if (refused instanceof UnusableAnswer) return new OidcFailure('response_invalid', refused.code);
  if (refused) return new OidcFailure('provider_unavailable', refused.code);
  const { code } = error as { code?: unknown };
  const isNetworkFailure = !(error instanceof oidc.ClientError) || NETWORK_CODES.has(code);
  return new OidcFailure(
    isNetworkFailure ? 'provider_unavailable' : 'response_invalid',
    typeof code === 'string' ? code : 'no_answer',
  );
}

function causesOf(error: unknown): unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; cause = cause.cause) causes.push(cause);
  return causes;
}
