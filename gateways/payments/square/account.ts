/** Reads the account of a token without Square's library, which is too large for API processes. */
import { z } from 'zod';
import { config } from '../../../config.js';
import { type Credentials, CredentialsRefused, type GatewayAccount, OutcomeUnknown } from '../port.js';

const SQUARE_API_URL = 'https://connect.squareup.com';
/** The API version; the library sends the same one. */
const VERSION = '2026-09-16';

const Merchant = z.object({ merchant: z.object({ id: z.string().min(1).max(200) }) });
const Location = z.object({ location: z.object({ status: z.string().optional() }) });

export const squareAddress = (): string => config.SQUARE_API_URL ?? SQUARE_API_URL;

/**
 * Returns the account of the credentials.
 * @throws CredentialsRefused with the token or the location as the wrong field; OutcomeUnknown
 */
export async function readSquareAccount(credentials: Credentials): Promise<GatewayAccount> {
  const merchant = Merchant.safeParse(await read('/v2/merchants/me', credentials, 'secret_key'));
  if (!merchant.success) throw new OutcomeUnknown('The provider did not return the account id.');
  const path = `/v2/locations/${encodeURIComponent(credentials['location_id'] ?? '')}`;
  const location = Location.safeParse(await read(path, credentials, 'location_id'));
  if (location.data?.location.status !== 'ACTIVE')
    throw new CredentialsRefused('This location does not accept payments.', 'location_id');
  return { accountId: merchant.data.merchant.id, livemode: squareAddress() === SQUARE_API_URL };
}

async function read(path: string, { secret_key }: Credentials, field: string): Promise<unknown> {
  const answer = await fetch(new URL(path, squareAddress()), {
    headers: { Authorization: `Bearer ${secret_key}`, 'Square-Version': VERSION },
    redirect: 'error',
    signal: AbortSignal.timeout(config.STRIPE_TIMEOUT_SECONDS * 1000),
  }).catch(() => null);
  if (answer?.status === 401 || answer?.status === 403)
    throw new CredentialsRefused('The provider refuses this access token.');
  if (answer?.status === 400 || answer?.status === 404)
    throw new CredentialsRefused('The account has no such location or merchant.', field);
  if (!answer?.ok) throw new OutcomeUnknown('The provider does not answer.');
  return answer.json().catch(() => null);
}
