/** Which gateways can be asked from here, and what they answer. */
import { Client } from 'pg';
import { config } from '../../config.js';
import type { DemoFacts } from '../demo/facts.js';
import type { Comparison } from './books.js';
import { compareWithProcessors } from './processors.js';
import { compareWithStandIn } from './standin.js';

export interface GatewayOptions {
  /** Ask the processors even where none is configured for development, and fail when they cannot be asked. */
  gateway: boolean;
  /** The stand-in's ledger; absent: that of the running demo. */
  ledgerUrl?: string | undefined;
  since: Date;
}

/** @returns what could be compared; `skipped` says why the rest could not, and `unasked` names each processor of it */
export async function compareWithGateways(ownerUrl: string, demo: DemoFacts | null, options: GatewayOptions) {
  const client = new Client({ connectionString: ownerUrl, application_name: 'check-ledger' });
  await client.connect();
  const comparisons: Comparison[] = [];
  const skipped: string[] = [];
  const unasked: string[] = [];
  const attempt = async (what: string, required: boolean, work: () => Promise<Comparison[]>) => {
    try {
      comparisons.push(...(await work()));
    } catch (error) {
      if (required) throw new Error(`${what} could not be asked: ${(error as Error).message}`, { cause: error });
      skipped.push(`${what} could not be asked: ${(error as Error).message}`);
    }
  };
  try {
    await client.query('SET default_transaction_read_only = on');
    const ledgerUrl = options.ledgerUrl ?? demo?.gateway.ledger_url ?? undefined;
    if (ledgerUrl) {
      await attempt('The ledger of the stand-in gateway', options.ledgerUrl !== undefined, async () => [
        await compareWithStandIn(client, ledgerUrl),
      ]);
    }
    const apiUrl = config.STRIPE_API_URL ?? demo?.gateway.url;
    // Development keys open nothing at the real provider: it is asked on demand only.
    if (options.gateway || apiUrl) {
      const asked = await compareWithProcessors(client, options.since, apiUrl);
      comparisons.push(...asked.comparisons);
      unasked.push(...asked.unasked);
    }
    return { comparisons, skipped, unasked };
  } finally {
    await client.end();
  }
}
