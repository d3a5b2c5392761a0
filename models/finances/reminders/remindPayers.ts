import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { notifyAll } from '../../notifications/notify.js';
import { LOCAL_DAY_SQL } from '../overdue/localDay.js';
import { dueBatch } from './due.js';
import { notifications } from './notifications.js';

/** Payers per statement. */
const BATCH_SIZE = 1_000;

/** Result of one batch of payers. */
export interface RemindedBatch {
  /** Number of payers reminded. */
  payers: number;
  /** The payer after whom the next batch begins; null: this was the last. */
  last: string | null;
}

/**
 * Records one reminder for each of the next payers with debts, and notifies these payers in the same transaction.
 * Concurrent calls remind no payer twice.
 * @param day the organization's local date, YYYY-MM-DD
 */
async function remindNext(day: string, after: string | null): Promise<RemindedBatch> {
  const { payers, soon, overdue, asked, last } = await oneRow<{
    payers: number;
    soon: string[];
    overdue: string[];
    asked: number;
    last: string | null;
  }>(
    `WITH ${dueBatch(BATCH_SIZE)},
     payers AS (
       SELECT payer, chapter_id, membership_id, today, bool_or(kind = 'dunning') AS is_overdue FROM due
        GROUP BY payer, chapter_id, membership_id, today),
     reminded AS (
       INSERT INTO payment_reminders (organization_id, chapter_id, membership_id, day, kind)
       SELECT $1, chapter_id, membership_id, today, CASE WHEN is_overdue THEN 'overdue' ELSE 'due_soon' END FROM payers
       ON CONFLICT ON CONSTRAINT payment_reminders_once DO NOTHING
       RETURNING id, coalesce(membership_id, chapter_id) AS payer, chapter_id, kind),
     noticed AS (
       INSERT INTO invoice_reminders (organization_id, invoice_id, kind, moved_to, occasion, reminder_id)
       SELECT $1, due.id, due.kind, due.moved_to, due.step::text, reminded.id FROM due JOIN reminded USING (payer, chapter_id)
       ON CONFLICT ON CONSTRAINT invoice_reminders_once DO NOTHING)
     SELECT (SELECT count(*)::int FROM payers) AS payers, (SELECT count(*)::int FROM payers_to_ask) AS asked,
            (SELECT payer FROM payers_to_ask ORDER BY payer DESC LIMIT 1) AS last,
            coalesce(json_agg(id) FILTER (WHERE kind = 'due_soon'), '[]') AS soon,
            coalesce(json_agg(id) FILTER (WHERE kind = 'overdue'), '[]') AS overdue FROM reminded`,
    [currentOrganization(), day, after ?? NIL],
  );
  await notifyAll([notifications.payments_due_soon, soon], [notifications.payments_overdue, overdue]);
  return { payers, last: asked === BATCH_SIZE ? last : null };
}

/** Reminds all payers in one transaction, for a small organization. @returns the number of payers reminded */
export async function remindPayers(day: string): Promise<number> {
  let reminded = 0;
  let last: string | null = null;
  do {
    const batch: RemindedBatch = await remindNext(day, last);
    reminded += batch.payers;
    last = batch.last;
  } while (last);
  return reminded;
}

/**
 * Reminds a batch of payers while `day` is the organization's local date; the next day's run reminds the payers that
 * remain.
 */
export async function remindBatch(day: string, after: string | null): Promise<RemindedBatch> {
  const today = await firstRow(`SELECT FROM organizations o WHERE o.id = $1 AND ${LOCAL_DAY_SQL} = $2::date`, [
    currentOrganization(),
    day,
  ]);
  return today ? remindNext(day, after) : { payers: 0, last: null };
}
