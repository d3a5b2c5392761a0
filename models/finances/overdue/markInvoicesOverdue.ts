import { INTO_AUDIT_LOG } from '../../database/audit.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { notifyAll } from '../../notifications/notify.js';
import { notifications } from '../notifications.js';
import { isOverdueSql, LOCAL_DAY_SQL, MOVED_DUE_DATE } from './localDay.js';
import { type DueDate, groupByDueDate } from './notificationBatches.js';

const BATCH_SIZE = 500;

/**
 * Marks a batch of open invoices whose due date is before `day`, and notifies their payers, once per due date. If `day`
 * is in the future for the organization, its local date is used instead, except in a rehearsal. Invoices that another
 * transaction is changing are skipped.
 * @returns the number of marked invoices; 0 when none remains
 * @throws RowMissing without an organization
 */
export async function markInvoicesOverdue(day: string, isRehearsal = false): Promise<number> {
  const organizationId = currentOrganization();
  const local = await firstRow<{ today: string }>(
    `SELECT to_char(CASE WHEN $3 THEN $2::date ELSE least($2::date, ${LOCAL_DAY_SQL}) END, 'YYYY-MM-DD') AS today FROM organizations o WHERE o.id = $1`,
    [organizationId, day, isRehearsal],
  );
  if (!local) throw new RowMissing('There is no such organization.');
  const { today } = local;
  const { marked, due } = await oneRow<{ marked: number; due: DueDate[] }>(
    `WITH due AS (
       SELECT i.id FROM chapter_invoices i WHERE i.organization_id = $1 AND ${isOverdueSql(2)}
        ORDER BY i.due_date, i.id LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED),
     marked AS (
       UPDATE chapter_invoices i SET overdue_at = now()
         FROM due WHERE i.organization_id = $1 AND i.id = due.id RETURNING i.id, ${MOVED_DUE_DATE} AS moved_to),
     noticed AS (
       INSERT INTO invoice_reminders (organization_id, invoice_id, kind, moved_to)
       SELECT $1, id, 'overdue', moved_to FROM marked
       ON CONFLICT ON CONSTRAINT invoice_reminders_once DO NOTHING RETURNING invoice_id AS invoice, moved_to),
     logged AS (
       ${INTO_AUDIT_LOG}
       SELECT $1, 'invoice.marked_overdue', 'invoice', id, NULL, NULL, jsonb_build_object('day', $2::text), NULL FROM marked)
     SELECT (SELECT count(*)::int FROM marked) AS marked,
            (SELECT coalesce(json_agg(noticed), '[]') FROM noticed) AS due`,
    [organizationId, today],
  );
  await notifyAll(...groupByDueDate(notifications.invoice_overdue, due));
  return marked;
}
