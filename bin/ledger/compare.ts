/** Selects the gateways that this command can query, and compares them with the books. */
import { Client } from 'pg';
import { config } from '../../config.js';
import { type Provider, PROVIDERS } from '../../models/finances/payment-processors/OrgPaymentProcessor.js';
import type { Comparison } from './books.js';
import { compareWithProcessors } from './processors.js';

/** Environment variables with the address of a simulated provider, by provider. */
const ADDRESSES = {
  stripe: 'STRIPE_API_URL',
  square: 'SQUARE_API_URL',
  paypal: 'PAYPAL_API_URL',
  checkout: 'CHECKOUT_API_URL',
} as const satisfies Record<Provider, keyof typeof config>;

export interface GatewayOptions {
  /** Whether to query the processors even where no simulated provider is configured. */
  gateway: boolean;
  since: Date;
  /** Compares one more ledger with the books, if given. `skipped` says why it could not be compared. */
  compareOtherLedger?: ((client: Client) => Promise<{ comparisons: Comparison[]; skipped: string[] }>) | undefined;
}

/**
 * Compares the books with the gateways.
 * @returns the comparisons; `skipped` with the reasons why ledgers were left out; `notQueried` with each processor that
 * could not be queried
 */
export async function compareWithGateways(ownerUrl: string, options: GatewayOptions) {
  const client = new Client({ connectionString: ownerUrl, application_name: 'check-ledger' });
  await client.connect();
  try {
    await client.query('SET default_transaction_read_only = on');
    const { comparisons, skipped } = (await options.compareOtherLedger?.(client)) ?? { comparisons: [], skipped: [] };
    // The keys of the development seed are not valid at a real provider, so real providers are queried on demand only.
    const providers = PROVIDERS.filter((one) => options.gateway || config[ADDRESSES[one]]);
    const compared = await compareWithProcessors(client, options.since, providers);
    return { comparisons: [...comparisons, ...compared.comparisons], skipped, notQueried: compared.notQueried };
  } finally {
    await client.end();
  }
}
