import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { syncManualRefundCases } from '../cases/syncManualRefundCases.js';
import type { Payer } from './payer.js';

/**
 * Deducts a payer's shortfall from the payer's credit; does nothing without a shortfall. Every function that adds
 * credit calls this, so that a payer with a shortfall cannot spend credit. The caller has just written a credit entry,
 * which holds the credit's lock.
 */
export async function coverShortfall(payer: Payer): Promise<void> {
  const { chapterId, membershipId } = payer;
  const covered = await firstRow<{ id: string; amount_cents: number }>(
    `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
     SELECT $1, $2, CASE WHEN $3::uuid IS NULL THEN 'chapter' ELSE 'member' END, $3, 'recovered', cents,
            'Covers what was refunded after it had been spent.'
       FROM (SELECT least(short, app.credit_held($2, $3)) AS cents
               FROM (SELECT app.credit_shortfall($1, $2, $3) AS short) now WHERE short > 0) found
      WHERE cents > 0 RETURNING id, amount_cents`,
    [currentOrganization(), chapterId, membershipId],
  );
  if (!covered) return;
  await audit({
    action: 'credit.recovered',
    subjectType: 'credit',
    subjectId: covered.id,
    after: { ...payer, amount_cents: covered.amount_cents },
  });
  await syncManualRefundCases([membershipId]);
}
