/** What credentials of PayPal open, asked without its library: the API has no room for it. */
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
  /** Milliseconds since 1970. */
  until: number;
}

/** Tokens live for hours, and PayPal wants them to be used so long. */
const tokens = new Map<string, AccessToken>();
const MOST_TOKENS = 1_000;
const EARLIER_MS = 120_000;

const placeOf = ({ client_id = '', secret_key }: Credentials): string =>
  createHash('sha256').update(`${paypalAddress()} ${client_id} ${secret_key}`).digest('base64');

/** @throws CredentialsRefused, OutcomeUnknown */
export async function accessToken(credentials: Credentials): Promise<AccessToken> {
  const place = placeOf(credentials);
  const known = tokens.get(place);
  if (known && known.until > Date.now()) return known;
  const fresh = await askForToken(credentials);
  if (tokens.size >= MOST_TOKENS) tokens.clear();
  tokens.set(place, fresh);
  return fresh;
}

/** PayPal takes the token no more, whatever it said of its end. */
export const forgetToken = (credentials: Credentials): boolean => tokens.delete(placeOf(credentials));

async function askForToken({ client_id = '', secret_key }: Credentials): Promise<AccessToken> {
  const answer = await sent('/v1/oauth2/token', {
    method: 'POST',
    headers: {
      Authorization: `Basic ${Buffer.from(`${client_id}:${secret_key}`).toString('base64')}`,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  if (answer?.status === 400 || answer?.status === 401 || answer?.status === 403) throw refused();
  const given = Token.safeParse(answer?.ok ? await answer.json().catch(() => null) : null);
  if (!given.success) throw new OutcomeUnknown('The provider does not answer.');
  return { token: given.data.access_token, until: Date.now() + given.data.expires_in * 1000 - EARLIER_MS };
}

/** What is at the path. @returns null where the account has no such thing. @throws CredentialsRefused, OutcomeUnknown */
export async function readPaypal(path: string, credentials: Credentials): Promise<unknown> {
  for (const last of [false, true]) {
    const { token } = await accessToken(credentials);
    const answer = await sent(path, { headers: { Authorization: `Bearer ${token}` } });
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

/** @throws CredentialsRefused, OutcomeUnknown */
export async function readPaypalAccount(credentials: Credentials): Promise<GatewayAccount> {
  const payer = Payer.safeParse(await readPaypal('/v1/identity/oauth2/userinfo?schema=paypalv1.1', credentials));
  if (!payer.success) throw new OutcomeUnknown('The provider does not say whose account it is.');
  return { accountId: payer.data.payer_id, livemode: paypalAddress() === LIVE };
}

const refused = () => new CredentialsRefused('The provider does not take this secret of this client.');

const sent = (path: string, init: RequestInit): Promise<Response | null> =>
  fetch(paypalAddress() + path, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(config.STRIPE_TIMEOUT_SECONDS * 1000),
  }).catch(() => null);
