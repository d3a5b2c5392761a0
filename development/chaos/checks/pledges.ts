/** Checks of pledges: what was charged for them, and what happened after they were cancelled. */
import type { Books } from '../books.js';
import type { Gateway } from '../gateway.js';
import { type Finding, repeated } from './finding.js';

/** SQL for charges that succeeded after their pledge was cancelled. */
const LATE_CHARGES = `SELECT p.pledge_id, p.n AS period, p.confirming_at, g.cancelled_at, p.closed_at, d.amount_cents, d.refunded_cents
  FROM pledge_periods p
  JOIN recurring_pledges g ON g.organization_id = p.organization_id AND g.id = p.pledge_id
  JOIN donations d ON d.organization_id = p.organization_id AND d.id = p.donation_id
 WHERE p.status = 'paid' AND p.closed_at > g.cancelled_at`;

/** Checks all rules about pledges. @throws Error when the gateway or the database is down */
export async function soundPledges(books: Books, gateway: Gateway): Promise<Finding[]> {
  const cancelled = await books.count('recurring_pledges WHERE cancelled_at IS NOT NULL');
  return [
    await onePerPeriod(books, gateway),
    {
      name: 'a charge that succeeds after its pledge was cancelled was confirmed before that',
      examined: cancelled,
      violations: await books.read(
        `SELECT * FROM (${LATE_CHARGES}) late WHERE confirming_at IS NULL OR confirming_at > cancelled_at`,
      ),
    },
    {
      name: 'no money of a charge that succeeded after its pledge was cancelled is kept',
      examined: cancelled,
      violations: await books.read(`SELECT * FROM (${LATE_CHARGES}) late WHERE refunded_cents < amount_cents`),
    },
  ];
}

async function onePerPeriod(books: Books, gateway: Gateway): Promise<Finding> {
  const periods = await books.read<{ donation_id: string }>('SELECT donation_id FROM pledge_periods WHERE n > 0');
  const gifts = new Set(periods.map(({ donation_id }) => donation_id));
  const captures = (await gateway.ledger()).filter(
    ({ kind, donation_id: donation }) => kind === 'capture' && donation !== null && gifts.has(donation),
  );
  return {
    name: 'a period of a pledge is captured at most once at the gateway',
    examined: captures.length,
    violations: repeated(captures, ({ donation_id: donation }) => String(donation)).map(({ item, times }) => ({
      ...item,
      times,
    })),
  };
}
