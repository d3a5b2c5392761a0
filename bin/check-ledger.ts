/**
 * check-ledger [--gateway] [--ledger-url <url>] [--since-days <n>]: whether the money is right, as the owner role.
 * Exit code 1 on a violation, when nothing could be examined where there are organizations, and with --gateway when a
 * processor could not be asked.
 */
import { config } from '../config.js';
import { checkLedger } from '../models/finances/checkLedger.js';
import { readCommandLine } from './commandLine.js';
import { readDemoFacts } from './demo/facts.js';
import { compareWithGateways } from './ledger/compare.js';
import { printReport } from './ledger/report.js';
import { complain } from './stack/complain.js';

const DAY_MS = 86_400_000;

async function main(): Promise<void> {
  const values = readCommandLine('check-ledger [--gateway] [--ledger-url <url>] [--since-days <n>]', {
    gateway: { type: 'boolean', default: false },
    'ledger-url': { type: 'string' },
    'since-days': { type: 'string', default: '30' },
  });
  const days = Number(values['since-days']);
  if (!(days > 0)) throw new Error('--since-days must be a number of days.');
  const ownerUrl = config.DATABASE_OWNER_URL;
  const running = config.production ? null : readDemoFacts();
  // Its gateway says nothing about another database.
  const demo = running?.database.owner_url === ownerUrl ? running : null;
  const { comparisons, skipped, unasked } = await compareWithGateways(ownerUrl, demo, {
    gateway: values.gateway,
    ledgerUrl: values['ledger-url'],
    since: new Date(Date.now() - days * DAY_MS),
  });
  // The gateway is read first: what it captured meanwhile is in our books by now, and not the other way round.
  const check = await checkLedger(ownerUrl);
  for (const line of [...skipped, ...unasked]) console.log(line);
  // Whoever asks for the gateways wants all of them.
  if (!printReport(check, comparisons, values.gateway ? unasked.length : 0)) process.exitCode = 1;
}

main().catch(complain);
