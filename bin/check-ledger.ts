/**
 * check-ledger [--gateway] [--since-days <n>]: checks all invariants of the money, as the owner role. Exit code 1 on
 * a violation, when nothing was examined although there are organizations, and with --gateway when a processor could
 * not be asked.
 */
import { readCommandLine } from './commandLine.js';
import { complain } from './complain.js';
import { checkBooks, daysAgo, OPTIONS } from './ledger/checkBooks.js';

async function main(): Promise<void> {
  const values = readCommandLine('check-ledger [--gateway] [--since-days <n>]', OPTIONS);
  await checkBooks({ gateway: values.gateway, since: daysAgo(values['since-days']) });
}

main().catch(complain);
