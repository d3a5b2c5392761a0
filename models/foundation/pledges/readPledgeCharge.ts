import { currentOrganization, firstRow } from '../../database/rows.js';
import { readAttemptCharge } from '../../finances/attempts/chargeOfAttempt.js';

/**
 * Reports whether the last charge of a period has captured money.
 * @param period absent: the open period of the pledge
 */
export async function readPledgeCharge(pledgeId: string, period?: number): Promise<'yes' | 'no' | 'unknown'> {
  const attempt = await firstRow<{ id: string }>(
    `SELECT a.id FROM pledge_periods d
       JOIN payment_attempts a ON a.organization_id = d.organization_id AND a.donation_id = d.donation_id
      WHERE d.organization_id = $1 AND d.pledge_id = $2 AND CASE WHEN $3::int IS NULL THEN d.status = 'open' ELSE d.n = $3 END
      ORDER BY a.captured_cents IS NOT NULL DESC, a.created_at DESC LIMIT 1`,
    [currentOrganization(), pledgeId, period ?? null],
  );
  return attempt ? readAttemptCharge(attempt.id) : 'no';
}
