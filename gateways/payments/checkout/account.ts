/** How an account at Checkout.com is addressed, and whose it is: without the library, which the API does not hold. */
import { config } from '../../../config.js';
import { ChargeRefused, type Credentials, CredentialsRefused, type GatewayAccount, OutcomeUnknown } from '../port.js';

const SECRET_KEY = /^sk_(sbox_)?[a-z2-7]{26}[a-z2-7*#$=]$/;
const CHANNEL = /^pc_[a-z2-7]{26}$/;
// It becomes a part of the host: anything else could make an address of the tenant's choice out of it.
const SUBDOMAIN = /^[0-9a-z]+$/;

export interface CheckoutAccount {
  secretKey: string;
  channelId: string;
  subdomain: string;
  livemode: boolean;
  /** Where its API is. */
  host: string;
}

/** @throws CredentialsRefused naming which of them cannot be one */
export function accountOf(credentials: Credentials): CheckoutAccount {
  const { secret_key: secretKey, processing_channel_id: channelId = '', subdomain = '' } = credentials;
  if (!SECRET_KEY.test(secretKey)) throw new CredentialsRefused('This is no secret key of Checkout.com.');
  if (!CHANNEL.test(channelId)) throw new CredentialsRefused('This is no processing channel.', 'processing_channel_id');
  if (!SUBDOMAIN.test(subdomain)) throw new CredentialsRefused('This is no subdomain of an account.', 'subdomain');
  const livemode = !secretKey.startsWith('sk_sbox_');
  const host = config.CHECKOUT_API_URL ?? `https://${subdomain}.api.${livemode ? '' : 'sandbox.'}checkout.com`;
  return { secretKey, channelId, subdomain, livemode, host: host.replace(/\/$/, '') };
}

/** A reference that no payment of ours has: only whether the key may ask counts. */
const NOBODY = '00000000-0000-0000-0000-000000000000';

/** @throws CredentialsRefused, OutcomeUnknown */
export async function readAccount(credentials: Credentials): Promise<GatewayAccount> {
  const { subdomain, channelId, livemode } = accountOf(credentials);
  if ((await statusOf(credentials, `/payments?limit=1&reference=${NOBODY}`)) >= 300)
    throw new ChargeRefused('invalid_request', 'Checkout.com does not know such an account.');
  return { accountId: `${subdomain}:${channelId}`, livemode };
}

/** @throws CredentialsRefused, OutcomeUnknown */
export const knowsCharge = async (credentials: Credentials, intentId: string): Promise<boolean> =>
  (await statusOf(credentials, `/payments/${encodeURIComponent(intentId)}`)) < 300;

/** With what a question is answered. @throws CredentialsRefused, OutcomeUnknown */
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
  if (status === 401 || status === 403) throw new CredentialsRefused('Checkout.com does not take the key.');
  if (status === 429 || status < 200 || status >= 500) throw new OutcomeUnknown('Checkout.com does not answer.');
  return status;
}
