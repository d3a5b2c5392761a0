/**
 * check-ledger [--gateway] [--since-days <n>]: checks all invariants of the money, as the owner role. Exit code 1 on a
 * violation, when no row was examined although there are organizations, and with --gateway when a processor could not
 * be queried.
 */
import { readCommandLine } from './commandLine.js';
import { reportFailure } from './reportFailure.js';
import { runLedgerCheck, daysAgo, OPTIONS } from './ledger/checkBooks.js';

async function main(): Promise<void> {
  const values = readCommandLine('check-ledger [--gateway] [--since-days <n>]', OPTIONS);
  await runLedgerCheck({ gateway: values.gateway, since: daysAgo(values['since-days']) });
}

main().catch(reportFailure);
