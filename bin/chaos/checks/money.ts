/** What truly moved at the gateway, against the books. */
import { Client } from 'pg';
import { checkLedger } from '../../../models/finances/checkLedger.js';
import { compareWithStandIn } from '../../ledger/standin.js';
import type { Books } from '../books.js';
import type { Gateway, Movement } from '../gateway.js';
import { type Finding, repeated } from './finding.js';

/** All rules about money. @throws Error when gateway or database is away */
export async function soundMoney(ownerUrl: string, books: Books, gateway: Gateway): Promise<Finding[]> {
  const movements = await gateway.ledger();
  return [
    await asTheLedgerCheckDoes(ownerUrl, gateway),
    oneCaptureEach(movements),
    await pagesRecorded(books, movements),
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

/** Charges of hosted pages name no remittance: each is a payment of its invoice. */
async function pagesRecorded(books: Books, movements: Movement[]): Promise<Finding> {
  const captures = movements.filter(({ kind, remittance_id: remittance }) => kind === 'capture' && remittance === null);
  const noted = await books.read<{ intent_id: string; cents: number }>(
    'SELECT intent_id, amount_cents::int AS cents FROM processor_captures WHERE intent_id = ANY($1)',
    [captures.map(({ payment_intent: intent }) => intent)],
  );
  const cents = new Map(noted.map((capture) => [capture.intent_id, capture.cents]));
  return {
    name: 'what was captured on a hosted page is recorded, to the cent',
    examined: captures.length,
    violations: captures
      .filter((capture) => cents.get(capture.payment_intent) !== capture.amount_cents)
      .map((capture) => ({ ...capture, noted_cents: cents.get(capture.payment_intent) ?? null })),
  };
}
