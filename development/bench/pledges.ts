/** Pledges of foundations, inserted by SQL: due ones without a process, and ones that sleep. */
import type { Client } from 'pg';
import { READERS } from './world.js';

export interface InsertedPledge {
  id: string;
  organizationId: string;
  processorId: string;
}

/** SQL of the day of the first gift, and of the time at which the next period is due. */
const TIMES = {
  /** The first period has been due for some days. */
  due: { anchor: `current_date - interval '40 days'`, next: `now() - interval '1 day'` },
  sleeping: { anchor: `current_date - interval '10 days'`, next: `now() + interval '20 days'` },
};

/**
 * Inserts monthly pledges, each of a new donor. The foundations take turns. The pledges are an hour old, so that recovery
 * does not wait for their processes.
 */
export async function insertPledges(owner: Client, kind: keyof typeof TIMES, count: number): Promise<InsertedPledge[]> {
  const { anchor, next } = TIMES[kind];
  const { rows } = await owner.query<InsertedPledge>(
    `WITH foundation AS (
       SELECT DISTINCT ON (f.id) f.organization_id, f.currency, p.processor_id, c.id AS campaign_id, c.fund_id,
              dense_rank() OVER (ORDER BY f.id) AS turn
         FROM foundation_configs f JOIN organizations o ON o.id = f.organization_id AND o.is_active
         JOIN foundation_payment_processors p ON p.organization_id = f.organization_id
         JOIN campaigns c ON c.organization_id = f.organization_id AND c.status = 'active' AND c.visibility = 'public'
        ORDER BY f.id, c.id),
     planned AS (
       SELECT f.*, uuidv7() AS donor_id FROM generate_series(0, $1::int - 1) n
         JOIN foundation f ON f.turn = n % least(${READERS}, (SELECT count(*) FROM foundation)) + 1),
     donor AS (
       INSERT INTO donors (id, organization_id, email, first_name, last_name)
       SELECT donor_id, organization_id, donor_id || '@pledges.example.org', 'Ada', 'Donor' FROM planned)
     INSERT INTO recurring_pledges (organization_id, donor_id, campaign_id, fund_id, processor_id, recurring_interval,
       amount_cents, currency, first_name, last_name, anchor_on, next_period, next_due_at, created_at)
     SELECT organization_id, donor_id, campaign_id, fund_id, processor_id, 'monthly', 2500, currency, 'Ada', 'Donor',
            ${anchor}, 1, ${next}, now() - interval '1 hour' FROM planned
     RETURNING id, organization_id AS "organizationId", processor_id AS "processorId"`,
    [count],
  );
  await owner.query('ANALYZE donors, recurring_pledges');
  return rows;
}

/** Cancels all pledges, so that none of them has a process. */
export const cancelPledges = (owner: Client): Promise<unknown> =>
  owner.query(
    `UPDATE recurring_pledges SET status = 'cancelled', cancelled_at = now(), cancelled_by = 'process', next_due_at = NULL,
            resume_on = NULL, card_encrypted = NULL, retired_card_encrypted = NULL
      WHERE status <> 'cancelled' OR card_encrypted IS NOT NULL OR retired_card_encrypted IS NOT NULL`,
  );
