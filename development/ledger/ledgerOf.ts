/** Which stand-in's ledger is compared with. */
import type { GatewayOptions } from '../../bin/ledger/compare.js';
import type { DemoFacts } from '../demo/facts.js';
import { compareWithStandIn } from './standin.js';

/**
 * @param url of a ledger that must answer; without one that of the running demo is asked, if it can be
 * @throws Error in the comparison, when the named ledger cannot be read
 */
export function ledgerOf(demo: DemoFacts | null, url?: string): GatewayOptions['compareToo'] {
  const ledgerUrl = url ?? demo?.gateway.ledger_url;
  if (!ledgerUrl) return undefined;
  return async (client) => {
    try {
      return { comparisons: [await compareWithStandIn(client, ledgerUrl)], skipped: [] };
    } catch (error) {
      const complaint = `The ledger of the stand-in gateway could not be asked: ${(error as Error).message}`;
      if (url !== undefined) throw new Error(complaint, { cause: error });
      return { comparisons: [], skipped: [complaint] };
    }
  };
}
