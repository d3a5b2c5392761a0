/**
 * SQL of a `spent` (id, cents): how much credit that came of each payment of the charge `$2` in organization `$1` its payer has spent,
 * or is on its way back. Of several payments of one payer the earlier count as unspent first.
 */
export const SPENT_OF_CHARGE = `became AS (
    SELECT p.id, i.chapter_id, i.membership_id, greatest(0, app.credit_of_payment(p.organization_id, p.id)) AS credit
      FROM payment_records p JOIN chapter_invoices i ON i.organization_id = p.organization_id AND i.id = p.invoice_id
     WHERE p.organization_id = $1 AND p.intent_id = $2 AND p.status = 'succeeded'),
  spent AS (
    SELECT id, CASE WHEN credit = 0 THEN 0 ELSE credit - greatest(0, least(credit,
             greatest(0, app.credit_balance(chapter_id, membership_id)) - coalesce(sum(credit) OVER (
               PARTITION BY chapter_id, membership_id ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0)))
           END::bigint AS cents FROM became)`;
