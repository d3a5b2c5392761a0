import { currentOrganization, rows } from '../../database/rows.js';
import { type ChargeState, readAttemptCharges } from '../../finances/attempts/chargeOfAttempt.js';

/** A period of a pledge; without a number, the open period is meant. */
interface Period {
  pledgeId: string;
  period?: string;
}

/** Reports for each period, in their order, whether its last charge has captured money. */
export async function readPledgeCharges(periods: readonly Period[]): Promise<ChargeState[]> {
  const attempts = await rows<{ id: string | null }>(
    `SELECT last.id FROM unnest($2::uuid[], $3::int[]) WITH ORDINALITY AS given (pledge_id, n, place)
       LEFT JOIN LATERAL (
         SELECT a.id FROM pledge_periods d
           JOIN payment_attempts a ON a.organization_id = d.organization_id AND a.donation_id = d.donation_id
          WHERE d.organization_id = $1 AND d.pledge_id = given.pledge_id
            AND CASE WHEN given.n IS NULL THEN d.status = 'open' ELSE d.n = given.n END
          ORDER BY a.captured_cents IS NOT NULL DESC, a.created_at DESC LIMIT 1) last ON true
      ORDER BY given.place`,
    [currentOrganization(), periods.map(({ pledgeId }) => pledgeId), periods.map(({ period }) => period ?? null)],
  );
  const charges = await readAttemptCharges(attempts.flatMap(({ id }) => id ?? []));
  return attempts.map(({ id }) => (id === null ? 'no' : (charges.get(id) ?? 'unknown')));
}
