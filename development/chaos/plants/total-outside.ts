/**
 * Planted bug: the total of a campaign is not updated in the transaction that inserts a gift's entry, because the
 * trigger no longer does this. A worker adds the entry to the total a moment later, unless it dies first. When the API
 * inserts the entry, the total stays wrong.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { config } from '../../../config.js';
import { oneRow } from '../../../models/database/rows.js';
import * as following from '../../../models/foundation/donations/followCaptures.js';
import { replace } from './replace.js';

const { followCapture } = following;
type FollowedCapture = Parameters<typeof followCapture>[0];

/** Delay between the two transactions, as on a busy server. */
const DELAY_MS = 1_000;
const RETRY_MS = 200;

replace(following, {
  followCapture: async (capture: FollowedCapture) => {
    const before = await receivedCents(capture);
    await followCapture(capture);
    const cents = (await receivedCents(capture)) - before;
    if (cents !== 0) void sleep(DELAY_MS).then(() => addToCampaign(capture.donationId, cents).catch(() => undefined));
  },
});

const receivedCents = async ({ donationId }: FollowedCapture): Promise<number> => {
  const { cents } = await oneRow<{ cents: number }>(
    `SELECT coalesce(sum(CASE kind WHEN 'returned' THEN -amount_cents ELSE amount_cents END), 0)::int AS cents
       FROM donation_entries WHERE donation_id = $1`,
    [donationId],
  );
  return cents;
};

const addToCampaign = (donationId: string, cents: number): Promise<unknown> =>
  asOwner((owner) =>
    owner.query(
      `UPDATE campaigns c SET raised_cents = greatest(0, raised_cents + $2) FROM donations d
        WHERE d.id = $1 AND c.organization_id = d.organization_id AND c.id = d.campaign_id`,
      [donationId, cents],
    ),
  );

/** Removes the statement about campaigns from the trigger's function. Repeating this does no harm. */
const changeTrigger = (): Promise<unknown> =>
  asOwner(async (owner) => {
    const { rows } = await owner.query<{ text: string }>(
      `SELECT pg_get_functiondef('app.add_donation_entry'::regproc) AS text`,
    );
    await owner.query((rows[0]?.text ?? '').replace(/UPDATE campaigns[^;]*;/, ''));
  });

async function asOwner(work: (owner: Client) => Promise<unknown>): Promise<void> {
  const owner = new Client({ connectionString: config.DATABASE_OWNER_URL });
  owner.on('error', () => undefined);
  try {
    await owner.connect();
    await work(owner);
  } finally {
    await owner.end().catch(() => undefined);
  }
}

/** Repeats until Postgres is up. */
async function plant(): Promise<void> {
  for (;;)
    try {
      return void (await changeTrigger());
    } catch {
      await sleep(RETRY_MS);
    }
}
void plant();
