import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { notifyAll } from '../../notifications/notify.js';
import { LOCAL_DAY_SQL } from '../overdue/localDay.js';
import { duePage } from './due.js';
import { told } from './notifications.js';

/** Payers that one statement looks at. */
const PAGE = 1_000;

/** A page of payers. */
export interface RemindedPage {
  /** How many of them were reminded. */
  payers: number;
  /** After whom the next page begins; null: there are no more. */
  last: string | null;
}

/**
 * Claims the reminders of the next payers who owe anything, one each, and tells them, in the transaction. Two at once remind nobody twice.
 * @param day the organization's day, YYYY-MM-DD
 */
async function remindNext(day: string, after: string | null): Promise<RemindedPage> {
  const { payers, soon, overdue, asked, last } = await oneRow<{
    payers: number;
    soon: string[];
    overdue: string[];
    asked: number;
    last: string | null;
  }>(
    `WITH ${duePage(PAGE)},
     payers AS (
       SELECT payer, chapter_id, membership_id, today, bool_or(kind = 'dunning') AS is_overdue FROM due
        GROUP BY payer, chapter_id, membership_id, today),
     reminded AS (
       INSERT INTO payment_reminders (organization_id, chapter_id, membership_id, day, kind)
       SELECT $1, chapter_id, membership_id, today, CASE WHEN is_overdue THEN 'overdue' ELSE 'due_soon' END FROM payers
       ON CONFLICT ON CONSTRAINT payment_reminders_once DO NOTHING
       RETURNING id, coalesce(membership_id, chapter_id) AS payer, chapter_id, kind),
     noticed AS (
       INSERT INTO invoice_notices (organization_id, invoice_id, kind, outcome, moved_to, occasion, reminder_id)
       SELECT $1, due.id, due.kind, 'told', due.moved_to, due.step::text, reminded.id FROM due JOIN reminded USING (payer, chapter_id)
       ON CONFLICT ON CONSTRAINT invoice_notices_once DO NOTHING)
     SELECT (SELECT count(*)::int FROM payers) AS payers, (SELECT count(*)::int FROM payers_to_ask) AS asked,
            (SELECT payer FROM payers_to_ask ORDER BY payer DESC LIMIT 1) AS last,
            coalesce(json_agg(id) FILTER (WHERE kind = 'due_soon'), '[]') AS soon,
            coalesce(json_agg(id) FILTER (WHERE kind = 'overdue'), '[]') AS overdue FROM reminded`,
    [currentOrganization(), day, after ?? NIL],
  );
  await notifyAll([told.payments_due_soon, soon], [told.payments_overdue, overdue]);
  return { payers, last: asked === PAGE ? last : null };
}

/** All of them in the transaction, for a small organization. @returns how many payers were reminded */
export async function remindPayers(day: string): Promise<number> {
  let reminded = 0;
  let last: string | null = null;
  do {
    const page: RemindedPage = await remindNext(day, last);
    reminded += page.payers;
    last = page.last;
  } while (last);
  return reminded;
}

/** A page, as long as `day` is the organization's own; who was not reached on it is reminded by the run of another. */
export async function remindToday(day: string, after: string | null): Promise<RemindedPage> {
  const today = await firstRow(`SELECT FROM organizations o WHERE o.id = $1 AND ${LOCAL_DAY_SQL} = $2::date`, [
    currentOrganization(),
    day,
  ]);
  return today ? remindNext(day, after) : { payers: 0, last: null };
}
