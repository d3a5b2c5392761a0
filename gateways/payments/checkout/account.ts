/**
 * Finds the API address of an account at Checkout.com, and verifies the account. It does not use Checkout.com's
 * library, which is too large for API processes.
 */
import { config } from '../../../config.js';
import { ChargeRefused, type Credentials, CredentialsRefused, type GatewayAccount, OutcomeUnknown } from '../port.js';

const SECRET_KEY = /^sk_(sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/;
const CHANNEL = /^pc_[a-z2-7]{26}$/;
// The subdomain becomes a part of the host name; any other text could redirect requests to an address that the tenant
// chose.
const SUBDOMAIN = /^[0-9a-z]+$/;

export interface CheckoutAccount {
  secretKey: string;
  channelId: string;
  subdomain: string;
  livemode: boolean;
  /** The base address of the account's API. */
  host: string;
}

/**
 * Parses and checks credentials.
 * @throws CredentialsRefused with the name of the invalid field
 */
export function accountOf(credentials: Credentials): CheckoutAccount {
  const { secret_key: secretKey, processing_channel_id: channelId = '', subdomain = '' } = credentials;
  if (!SECRET_KEY.test(secretKey)) throw new CredentialsRefused('This is not a secret key of Checkout.com.');
  if (!CHANNEL.test(channelId))
    throw new CredentialsRefused('This is not the id of a processing channel.', 'processing_channel_id');
  if (!SUBDOMAIN.test(subdomain)) throw new CredentialsRefused('This is not the subdomain of an account.', 'subdomain');
  const livemode = !secretKey.startsWith('sk_sbox_');
  const host = config.CHECKOUT_API_URL ?? `https://${subdomain}.api.${livemode ? '' : 'sandbox.'}checkout.com`;
  return { secretKey, channelId, subdomain, livemode, host: host.replace(/\/$/, '') };
}

/** A reference that none of our payments has. The request only tests whether the key is accepted. */
const UNUSED_REFERENCE = '00000000-0000-0000-0000-000000000000';

/**
 * Returns the account of the credentials.
 * @throws CredentialsRefused, OutcomeUnknown
 */
export async function readAccount(credentials: Credentials): Promise<GatewayAccount> {
  const { subdomain, channelId, livemode } = accountOf(credentials);
  if ((await statusOf(credentials, `/payments?limit=1&reference=${UNUSED_REFERENCE}`)) >= 300)
    throw new ChargeRefused('invalid_request', 'Checkout.com has no such account.');
  return { accountId: `${subdomain}:${channelId}`, livemode };
}

/**
 * Reports whether the charge belongs to the account.
 * @throws CredentialsRefused, OutcomeUnknown
 */
export const knowsCharge = async (credentials: Credentials, intentId: string): Promise<boolean> =>
  (await statusOf(credentials, `/payments/${encodeURIComponent(intentId)}`)) < 300;

/**
 * Sends a GET request and returns the HTTP status.
 * @throws CredentialsRefused, OutcomeUnknown
 */
async function statusOf(credentials: Credentials, path: string): Promise<number> {
  const { secretKey, host } = accountOf(credentials);
  const status = await fetch(host + path, {
    headers: { Authorization: `Bearer ${secretKey}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(config.STRIPE_TIMEOUT_SECONDS * 1000),
  }).then(
    async (answer) => {
      await answer.body?.cancel();
      return answer.status;
    },
    () => 0,
  );
  if (status === 401 || status === 403) throw new CredentialsRefused('Checkout.com refuses the key.');
  if (status === 429 || status < 200 || status >= 500) throw new OutcomeUnknown('Checkout.com does not answer.');
  return status;
}
