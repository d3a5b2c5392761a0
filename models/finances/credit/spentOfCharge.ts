import { SOURCE_EFFECT_SQL } from './sources.js';

/**
 * SQL of a CTE `spent` (id, cents) for the charge `$2` of organization `$1`: for each payment of the charge, the credit
 * from that payment that its holders have spent or reserved for refunds. If a payer holds credit from several payments,
 * the unspent rest counts as credit from the earliest payments.
 */
export const SPENT_OF_CHARGE = `became AS (
    SELECT p.id, c.chapter_id, c.membership_id, greatest(0, coalesce(c.credit, 0)) AS credit
      FROM payment_records p LEFT JOIN LATERAL (
        SELECT c.chapter_id, c.membership_id, sum(${SOURCE_EFFECT_SQL})::bigint AS credit FROM chapter_account_credits c
         WHERE c.organization_id = p.organization_id AND c.payment_record_id = p.id GROUP BY 1, 2) c ON true
     WHERE p.organization_id = $1 AND p.intent_id = $2 AND p.status = 'succeeded'),
  spent_by_payer AS (
    SELECT id, CASE WHEN credit = 0 THEN 0 ELSE credit - greatest(0, least(credit,
             greatest(0, app.credit_balance(chapter_id, membership_id)) - coalesce(sum(credit) OVER (
               PARTITION BY chapter_id, membership_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)))
           END::bigint AS cents FROM became),
  spent AS (SELECT id, sum(cents)::bigint AS cents FROM spent_by_payer GROUP BY id)`;
