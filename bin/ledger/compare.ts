/** Which gateways can be asked from here, and what they answer. */
import { Client } from 'pg';
import { config } from '../../config.js';
import { type Provider, PROVIDERS } from '../../models/finances/payment-processors/OrgPaymentProcessor.js';
import type { Comparison } from './books.js';
import { compareWithProcessors } from './processors.js';

/** Where a provider is asked that is not the real one. */
const ADDRESSES = {
  stripe: 'STRIPE_API_URL',
  square: 'SQUARE_API_URL',
  paypal: 'PAYPAL_API_URL',
  checkout: 'CHECKOUT_API_URL',
} as const satisfies Record<Provider, keyof typeof config>;

export interface GatewayOptions {
  /** Ask the processors even where none is configured for development. */
  gateway: boolean;
  since: Date;
  /** A further ledger to compare with. `skipped` says why it could not be. */
  compareToo?: ((client: Client) => Promise<{ comparisons: Comparison[]; skipped: string[] }>) | undefined;
}

/** @returns what could be compared; `skipped` says why the rest could not, and `unasked` names each processor of it */
export async function compareWithGateways(ownerUrl: string, options: GatewayOptions) {
  const client = new Client({ connectionString: ownerUrl, application_name: 'check-ledger' });
  await client.connect();
  try {
    await client.query('SET default_transaction_read_only = on');
    const { comparisons, skipped } = (await options.compareToo?.(client)) ?? { comparisons: [], skipped: [] };
    // Development keys open nothing at a real provider: it is asked on demand only.
    const providers = PROVIDERS.filter((one) => options.gateway || config[ADDRESSES[one]]);
    const asked = await compareWithProcessors(client, options.since, providers);
    return { comparisons: [...comparisons, ...asked.comparisons], skipped, unasked: asked.unasked };
  } finally {
    await client.end();
  }
}
