/** Which gateways can be asked from here, and what they answer. */
import { Client } from 'pg';
import { config } from '../../config.js';
import type { Comparison } from './books.js';
import { compareWithProcessors } from './processors.js';

export interface GatewayOptions {
  /** Ask the processors even where none is configured for development. */
  gateway: boolean;
  since: Date;
  /** Where the processors are asked when the configuration names no address. */
  apiUrl?: string | undefined;
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
    const apiUrl = config.STRIPE_API_URL ?? options.apiUrl;
    // Development keys open nothing at the real provider: it is asked on demand only.
    if (!options.gateway && !apiUrl) return { comparisons, skipped, unasked: [] };
    const asked = await compareWithProcessors(client, options.since, apiUrl);
    return { comparisons: [...comparisons, ...asked.comparisons], skipped, unasked: asked.unasked };
  } finally {
    await client.end();
  }
}
