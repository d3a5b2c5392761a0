/** Compares the money that moved at the gateway with our database. */
import { Client } from 'pg';
import { checkLedger } from '../../../models/finances/checkLedger.js';
import { compareWithStandIn } from '../../ledger/standin.js';
import type { Books } from '../books.js';
import type { Gateway, Movement } from '../gateway.js';
import { type Finding, repeated } from './finding.js';
import { pagesClosed, pagesRecorded } from './pages.js';
import { soundRefunds } from './refunds.js';

/** Checks all rules about money. @throws Error when the gateway or the database is down */
export async function soundMoney(ownerUrl: string, books: Books, gateway: Gateway): Promise<Finding[]> {
  const movements = await gateway.ledger();
  return [
    await asTheLedgerCheckDoes(ownerUrl, gateway),
    oneCaptureEach(movements),
    await pagesRecorded(books, gateway, 'every capture on a hosted page is recorded once, with its exact amount'),
    await pagesClosed(books, gateway),
    ...(await soundRefunds(books, gateway)),
    ...(await checkLedger(ownerUrl)).invariants,
  ];
}

/** Runs the ledger check without a grace period, because the platform is idle. */
async function asTheLedgerCheckDoes(ownerUrl: string, gateway: Gateway): Promise<Finding> {
  const client = new Client({ connectionString: ownerUrl, application_name: 'chaos-ledger' });
  await client.connect();
  try {
    return await compareWithStandIn(client, gateway.ledgerUrl, 0);
  } finally {
    await client.end();
  }
}

/**
 * Checks for double captures. All remittances of a run are paid through the platform, so a second charge cannot be
 * legitimate.
 */
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
