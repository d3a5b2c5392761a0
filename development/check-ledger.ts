/**
 * check-ledger [--gateway] [--ledger-url <url>] [--since-days <n>]: runs the operators' command. When `npm start` is
 * running, the command also finds its gateway and compares the books with the money that moved there.
 */
import { readCommandLine } from '../bin/commandLine.js';
import { reportFailure } from '../bin/reportFailure.js';
import { runLedgerCheck, daysAgo, OPTIONS } from '../bin/ledger/checkBooks.js';
import { config } from '../config.js';
import { readDemoFacts } from './demo/facts.js';
import { ledgerOf } from './ledger/ledgerOf.js';
import { useGateways } from './ledger/useGateways.js';

async function main(): Promise<void> {
  const values = readCommandLine('check-ledger [--gateway] [--ledger-url <url>] [--since-days <n>]', {
    ...OPTIONS,
    'ledger-url': { type: 'string' },
  });
  const running = config.production ? null : readDemoFacts();
  // Use the running demo's gateway only if this command checks the demo's database; the gateway knows no payments of
  // another database.
  const demo = running?.database.owner_url === config.DATABASE_OWNER_URL ? running : null;
  if (demo) useGateways(demo);
  await runLedgerCheck({
    gateway: values.gateway,
    since: daysAgo(values['since-days']),
    compareOtherLedger: ledgerOf(demo, values['ledger-url']),
  });
}

main().catch(reportFailure);
