import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { notifyAll } from '../../notifications/notify.js';
import { LOCAL_DAY_SQL } from '../overdue/localDay.js';
import { DUE } from './due.js';
import { told } from './notifications.js';

/** Payers of one transaction. */
const PAGE = 1_000;

/**
 * Claims the reminders of a page of payers, one each, and tells them, in the transaction. Two at once remind nobody twice.
 * @param day the organization's day, YYYY-MM-DD
 * @returns how many payers the page had; 0 when nobody is left
 */
export async function remindPayers(day: string): Promise<number> {
  const { payers, soon, overdue } = await oneRow<{ payers: number; soon: string[]; overdue: string[] }>(
    `WITH ${DUE},
     payers AS (
       SELECT payer, chapter_id, membership_id, today, bool_or(kind = 'dunning') AS is_overdue FROM due
        GROUP BY payer, chapter_id, membership_id, today ORDER BY payer LIMIT ${PAGE}),
     reminded AS (
       INSERT INTO payment_reminders (organization_id, chapter_id, membership_id, day, kind)
       SELECT $1, chapter_id, membership_id, today, CASE WHEN is_overdue THEN 'overdue' ELSE 'due_soon' END FROM payers
       ON CONFLICT ON CONSTRAINT payment_reminders_once DO NOTHING
       RETURNING id, coalesce(membership_id, chapter_id) AS payer, kind),
     noticed AS (
       INSERT INTO invoice_notices (organization_id, invoice_id, kind, outcome, moved_to, occasion, reminder_id)
       SELECT $1, due.id, due.kind, 'told', due.moved_to, due.step::text, reminded.id FROM due JOIN reminded USING (payer)
       ON CONFLICT ON CONSTRAINT invoice_notices_once DO NOTHING)
     SELECT (SELECT count(*)::int FROM payers) AS payers,
            coalesce(json_agg(id) FILTER (WHERE kind = 'due_soon'), '[]') AS soon,
            coalesce(json_agg(id) FILTER (WHERE kind = 'overdue'), '[]') AS overdue FROM reminded`,
    [currentOrganization(), day],
  );
  await notifyAll([told.payments_due_soon, soon], [told.payments_overdue, overdue]);
  return payers;
}

/** The same as long as `day` is the organization's own; who was not reached on it is reminded by the run of another. */
export async function remindToday(day: string): Promise<number> {
  const today = await firstRow(`SELECT FROM organizations o WHERE o.id = $1 AND ${LOCAL_DAY_SQL} = $2::date`, [
    currentOrganization(),
    day,
  ]);
  return today ? remindPayers(day) : 0;
}
