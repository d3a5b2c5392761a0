/** What truly moved at the gateway, against the books. */
import { Client } from 'pg';
import { checkLedger } from '../../../models/finances/checkLedger.js';
import { compareWithStandIn } from '../../ledger/standin.js';
import type { Books } from '../books.js';
import type { Gateway, Movement } from '../gateway.js';
import { type Finding, repeated } from './finding.js';
import { pagesClosed, pagesRecorded } from './pages.js';
import { soundRefunds } from './refunds.js';

/** All rules about money. @throws Error when gateway or database is away */
export async function soundMoney(ownerUrl: string, books: Books, gateway: Gateway): Promise<Finding[]> {
  const movements = await gateway.ledger();
  return [
    await asTheLedgerCheckDoes(ownerUrl, gateway),
    oneCaptureEach(movements),
    await pagesRecorded(books, gateway, 'what was captured on a hosted page is recorded once, to the cent'),
    await pagesClosed(books, gateway),
    ...(await soundRefunds(books, gateway)),
    ...(await checkLedger(ownerUrl)).invariants,
  ];
}

/** The run is at rest: nothing is too young to be noted. */
async function asTheLedgerCheckDoes(ownerUrl: string, gateway: Gateway): Promise<Finding> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'chaos-ledger' });
  await client.connect();
  try {
    return await compareWithStandIn(client, gateway.ledgerUrl, 0);
  } finally {
    await client.end();
  }
}

/** Nobody in the run pays a remittance in another way than through the platform, so there is no second charge to flag. */
function oneCaptureEach(movements: Movement[]): Finding {
  const captures = movements.filter(({ kind, remittance_id: remittance }) => kind === 'capture' && remittance !== null);
  return {
    name: 'a remittance is captured at most once at the gateway',
    examined: captures.length,
    violations: repeated(captures, ({ remittance_id: remittance }) => String(remittance)).map(({ item, times }) => ({
      times,
      charges: captures
        .filter((other) => other.remittance_id === item.remittance_id)
        .map((other) => other.payment_intent),
      remittance_id: item.remittance_id,
      amount_cents: item.amount_cents,
    })),
  };
}
