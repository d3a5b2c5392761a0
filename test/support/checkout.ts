/** Checkout.com's stand-in for a test file, and organizations that use it. */
import { config } from '../../config.js';
import { type CheckoutStandin, startCheckoutStandin } from '../../development/standins/checkout/server.js';
import { connectAccount, type Ordered, ordered, statusesOf } from './cardStandin.js';
import type { Platform } from './platform.js';
import type { World } from './world.js';

export interface CheckoutCom extends CheckoutStandin, Ordered {
  /** The statuses of its payments: authorized ones are Authorized. */
  payments(): Promise<string[]>;
}

export async function startCheckout(): Promise<CheckoutCom> {
  const standin = await startCheckoutStandin({ port: 0, controlPort: 0 });
  config.CHECKOUT_API_URL = standin.url;
  const port = ordered('Checkout.com', standin.controlUrl);
  return { ...standin, ...port, payments: () => statusesOf(port) };
}

/** Turns a text into characters that their keys allow: hexadecimal digits replace the others. */
const written = (id: string): string =>
  id
    .replaceAll(/[^a-f2-7]/g, 'z')
    .slice(0, 26)
    .padEnd(26, 'y');

/** Connects a separate account, whose events go to its own address. @returns the processor's id */
export async function aCheckoutProcessor(
  platform: Pick<Platform, 'api'>,
  checkout: CheckoutCom,
  world: World,
): Promise<string> {
  const secretsOf = (id: string) => ({
    credentials: {
      secret_key: `sk_sbox_${written(id.split('').toReversed().join(''))}=`,
      processing_channel_id: `pc_${written(id)}`,
      subdomain: 'contract',
    },
    webhookSecret: `signature_key_${id}`,
  });
  const id = await connectAccount(world, 'checkout', secretsOf);
  const { credentials, webhookSecret } = secretsOf(id);
  await checkout.order('POST', '/webhook-endpoints', {
    account_key: credentials.secret_key,
    url: `${platform.api.url}/api/finances/webhooks/processor/?processor=${id}`,
    secret: webhookSecret,
  });
  return id;
}
