/** PayPal's stand-in for a test file, and organizations that use it. */
import { config } from '../../config.js';
import { type PaypalStandin, startPaypalStandin } from '../../development/standins/paypal/server.js';
import { connectAccount, type Ordered, ordered } from './cardStandin.js';
import type { Platform } from './platform.js';
import type { World } from './world.js';

export type Paypal = PaypalStandin & Ordered;

export async function startPaypal(): Promise<Paypal> {
  const standin = await startPaypalStandin({ port: 0, controlPort: 0 });
  Object.assign(config, { PAYPAL_API_URL: standin.url, PAYPAL_CA: standin.authority });
  return { ...standin, ...ordered('PayPal', standin.controlUrl) };
}

/** Connects a separate account, whose events go to its own address. @returns the processor's id */
export async function aPaypalProcessor(platform: Pick<Platform, 'api'>, paypal: Paypal, world: World): Promise<string> {
  const secretsOf = (id: string) => ({
    credentials: { secret_key: `EPaypal_${id}`, client_id: `APaypal_${id}` },
    webhookSecret: `WH-${id}`,
  });
  const id = await connectAccount(world, 'paypal', secretsOf);
  const { credentials, webhookSecret } = secretsOf(id);
  await paypal.order('POST', '/webhook-endpoints', {
    client_id: credentials.client_id,
    secret: credentials.secret_key,
    url: `${platform.api.url}/api/finances/webhooks/processor/?processor=${id}`,
    webhook_id: webhookSecret,
  });
  return id;
}
