/** Access tokens and account look-ups of PayPal without its library, which is too large for API processes. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { config } from '../../../config.js';
import { type Credentials, CredentialsRefused, type GatewayAccount, OutcomeUnknown } from '../port.js';

export const LIVE = 'https://api-m.paypal.com';
export const SANDBOX = 'https://api-m.sandbox.paypal.com';

export const paypalAddress = (): string => config.PAYPAL_API_URL?.replace(/\/$/, '') ?? LIVE;

const Token = z.object({ access_token: z.string().min(1).max(4_000), expires_in: z.number().positive() });
const Payer = z.object({ payer_id: z.string().regex(/^[\w-]{3,200}$/) });

export interface AccessToken {
  token: string;
  /** The token is used until this time, in milliseconds since 1970. */
  until: number;
}

/** Caches access tokens, which are valid for hours and which PayPal expects to be reused. */
const tokens = new Map<string, AccessToken>();
const MAX_TOKENS = 1_000;
const EXPIRY_MARGIN_MS = 120_000;

const cacheKeyOf = ({ client_id = '', secret_key }: Credentials): string =>
  createHash('sha256').update(`${paypalAddress()} ${client_id} ${secret_key}`).digest('base64');

/**
 * Returns an access token, from the cache if it is valid.
 * @throws CredentialsRefused, OutcomeUnknown
 */
export async function accessToken(credentials: Credentials): Promise<AccessToken> {
  const cacheKey = cacheKeyOf(credentials);
  const cached = tokens.get(cacheKey);
  if (cached && cached.until > Date.now()) return cached;
  const fresh = await requestToken(credentials);
  if (tokens.size >= MAX_TOKENS) tokens.clear();
  tokens.set(cacheKey, fresh);
  return fresh;
}

/** Removes the cached token after PayPal refused it, which can happen before its expiry. */
export const forgetToken = (credentials: Credentials): boolean => tokens.delete(cacheKeyOf(credentials));

async function requestToken({ client_id = '', secret_key }: Credentials): Promise<AccessToken> {
  const answer = await send('/v1/oauth2/token', {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${client_id}:${secret_key}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  if (answer?.status === 400 || answer?.status === 401 || answer?.status === 403) throw refused();
  const tokenResult = Token.safeParse(answer?.ok ? await answer.json().catch(() => null) : null);
  if (!tokenResult.success) throw new OutcomeUnknown('The provider does not answer.');
  return {
    token: tokenResult.data.access_token,
    until: Date.now() + tokenResult.data.expires_in * 1000 - EXPIRY_MARGIN_MS,
  };
}

/**
 * Reads the resource at a path.
 * @returns null if the account has no such resource
 * @throws CredentialsRefused, OutcomeUnknown
 */
export async function readPaypal(path: string, credentials: Credentials): Promise<unknown> {
  for (const last of [false, true]) {
    const { token } = await accessToken(credentials);
    const answer = await send(path, { headers: { Authorization: `Bearer ${token}` } });
    if (answer?.ok) return answer.json().catch(() => null);
    if (answer?.status === 404) return null;
    if (answer?.status === 401) {
      forgetToken(credentials);
      if (!last) continue;
    }
    if (answer?.status === 401 || answer?.status === 403) throw refused();
    break;
  }
  throw new OutcomeUnknown('The provider does not answer.');
}

/**
 * Returns the account of the credentials.
 * @throws CredentialsRefused, OutcomeUnknown
 */
export async function readPaypalAccount(credentials: Credentials): Promise<GatewayAccount> {
  const payer = Payer.safeParse(await readPaypal('/v1/identity/oauth2/userinfo?schema=paypalv1.1', credentials));
  if (!payer.success) throw new OutcomeUnknown('The provider did not return the account id.');
  return { accountId: payer.data.payer_id, livemode: paypalAddress() === LIVE };
}

const refused = () => new CredentialsRefused('The provider refuses this client id and secret.');

const send = (path: string, init: RequestInit): Promise<Response | null> =>
  fetch(paypalAddress() + path, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(config.STRIPE_TIMEOUT_SECONDS * 1000),
  }).catch(() => null);
