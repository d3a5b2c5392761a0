/** The whole ledger check: the invariants of the database, and the comparison with the gateways. */
import { config } from '../../config.js';
import { checkLedger } from '../../models/finances/checkLedger.js';
import { compareWithGateways, type GatewayOptions } from './compare.js';
import { printReport } from './report.js';

const DAY_MS = 86_400_000;

/** Command-line options that both check-ledger commands share: the operator's and the developer's. */
export const OPTIONS = {
  gateway: { type: 'boolean', default: false },
  'since-days': { type: 'string', default: '30' },
} as const;

/**
 * Converts the option --since-days to a time in the past.
 * @param days the number of days as typed.
 * @throws Error when it is not a number of days
 */
export function daysAgo(days: string): Date {
  if (!(Number(days) > 0)) throw new Error('--since-days must be a number of days.');
  return new Date(Date.now() - Number(days) * DAY_MS);
}

/** Checks and prints. The exit code becomes 1 on a violation, or when something requested could not be examined. */
export async function runLedgerCheck(options: GatewayOptions): Promise<void> {
  const ownerUrl = config.DATABASE_OWNER_URL;
  const { comparisons, skipped, notQueried } = await compareWithGateways(ownerUrl, options);
  // The gateway was read before the books, so every charge that the gateway has captured is in the books by now. In the
  // opposite order, new charges would look unrecorded.
  const check = await checkLedger(ownerUrl);
  for (const line of [...skipped, ...notQueried]) console.log(line);
  // --gateway asks for every gateway, so a gateway that could not be queried is a failure.
  if (!printReport(check, comparisons, options.gateway ? notQueried.length : 0)) process.exitCode = 1;
}
