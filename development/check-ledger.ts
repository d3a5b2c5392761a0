/**
 * check-ledger [--gateway] [--ledger-url <url>] [--since-days <n>]: the operators' command, which beside a running
 * `npm start` finds its gateway and compares with what truly moved there, too.
 */
import { readCommandLine } from '../bin/commandLine.js';
import { complain } from '../bin/complain.js';
import { checkBooks, daysAgo, OPTIONS } from '../bin/ledger/checkBooks.js';
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
  // Its gateway says nothing about another database.
  const demo = running?.database.owner_url === config.DATABASE_OWNER_URL ? running : null;
  if (demo) useGateways(demo);
  await checkBooks({
    gateway: values.gateway,
    since: daysAgo(values['since-days']),
    compareToo: ledgerOf(demo, values['ledger-url']),
  });
}

main().catch(complain);
