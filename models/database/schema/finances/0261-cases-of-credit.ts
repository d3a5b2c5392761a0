import type { Migration } from '../../schemaFiles.js';

/**
 * Corrects cases of credit to be refunded by hand: they counted refunds by hand only, and now show the remaining
 * credit.
 */
export const up: Migration['up'] = ({ run }) =>
  run(`
    WITH held AS (
      SELECT k.id, (SELECT coalesce(sum(CASE WHEN c.kind = 'shortfall' THEN 0
               WHEN c.kind IN ('issued', 'moved_in') OR (c.kind = 'reversed' AND r.kind <> 'issued') THEN c.amount_cents ELSE -c.amount_cents END), 0)::bigint
          FROM chapter_account_credits c
          LEFT JOIN chapter_account_credits r ON r.organization_id = c.organization_id AND r.id = c.reverses
         WHERE c.organization_id = s.organization_id AND c.chapter_id = s.chapter_id AND c.membership_id = s.membership_id) AS cents
        FROM money_cases k JOIN terminal_settlements s ON s.organization_id = k.organization_id AND s.id = k.settlement_id
       WHERE k.kind = 'manual_refund_due' AND k.status = 'open')
    UPDATE money_cases k SET
           amount_cents = CASE WHEN held.cents > 0 THEN held.cents ELSE k.amount_cents END,
           status = CASE WHEN held.cents > 0 THEN 'open' ELSE 'closed' END,
           resolution = CASE WHEN held.cents <= 0 THEN 'agreed' END, closed_at = CASE WHEN held.cents <= 0 THEN now() END
      FROM held WHERE k.id = held.id AND held.cents <> k.amount_cents;
  `);

/** Changes nothing: the corrected amounts are right for the previous release too. */
export const down: Migration['down'] = () => Promise.resolve();
