/** Chooses the stand-in ledger for the comparison. */
import type { GatewayOptions } from '../../bin/ledger/compare.js';
import type { DemoFacts } from '../demo/facts.js';
import { compareWithStandIn } from './standin.js';

/**
 * Returns a function that compares the books with a stand-in's ledger.
 * @param url address of a ledger that must be readable. Without it, the running demo's ledger is used if it can be read
 * @throws Error when the returned function cannot read the ledger at `url`
 */
export function ledgerOf(demo: DemoFacts | null, url?: string): GatewayOptions['compareOtherLedger'] {
  const ledgerUrl = url ?? demo?.gateway.ledger_url;
  if (!ledgerUrl) return undefined;
  return async (client) => {
    try {
      return { comparisons: [await compareWithStandIn(client, ledgerUrl)], skipped: [] };
    } catch (error) {
      const message = `The ledger of the stand-in gateway could not be read: ${(error as Error).message}`;
      if (url !== undefined) throw new Error(message, { cause: error });
      return { comparisons: [], skipped: [message] };
    }
  };
}
