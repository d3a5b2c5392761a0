/** Whose account a token opens, asked without Square's library: the API has no room for it. */
import { z } from 'zod';
import { config } from '../../../config.js';
import { type Credentials, CredentialsRefused, type GatewayAccount, OutcomeUnknown } from '../port.js';

const SQUARE_API_URL = 'https://connect.squareup.com';
/** Of the interface, as the library sends it. */
const VERSION = '2026-09-16';

const Merchant = z.object({ merchant: z.object({ id: z.string().min(1).max(200) }) });
const Location = z.object({ location: z.object({ status: z.string().optional() }) });

export const squareAddress = (): string => config.SQUARE_API_URL ?? SQUARE_API_URL;

/** @throws CredentialsRefused naming the token or the location, OutcomeUnknown */
export async function readSquareAccount(credentials: Credentials): Promise<GatewayAccount> {
  const merchant = Merchant.safeParse(await read('/v2/merchants/me', credentials, 'secret_key'));
  if (!merchant.success) throw new OutcomeUnknown('The provider does not say whose account it is.');
  const path = `/v2/locations/${encodeURIComponent(credentials['location_id'] ?? '')}`;
  const location = Location.safeParse(await read(path, credentials, 'location_id'));
  if (location.data?.location.status !== 'ACTIVE')
    throw new CredentialsRefused('This location takes no payments.', 'location_id');
  return { accountId: merchant.data.merchant.id, livemode: squareAddress() === SQUARE_API_URL };
}

async function read(path: string, { secret_key }: Credentials, field: string): Promise<unknown> {
  const answer = await fetch(new URL(path, squareAddress()), {
    headers: { Authorization: `Bearer ${secret_key}`, 'Square-Version': VERSION },
    redirect: 'error',
    signal: AbortSignal.timeout(config.STRIPE_TIMEOUT_SECONDS * 1000),
  }).catch(() => null);
  if (answer?.status === 401 || answer?.status === 403)
    throw new CredentialsRefused('The provider does not take this access token.');
  if (answer?.status === 400 || answer?.status === 404)
    throw new CredentialsRefused('The provider does not know this in the account.', field);
  if (!answer?.ok) throw new OutcomeUnknown('The provider does not answer.');
  return answer.json().catch(() => null);
}
