import { sendOverdueNotices } from '../../../workflows/contracts/index.js';
import { INTO_AUDIT_LOG } from '../../database/audit.js';
import { enqueue } from '../../database/outbox.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { isOverdueSql, LOCAL_DAY_SQL } from './localDay.js';

const PAGE = 500;

/**
 * Marks a page of open invoices whose due date is before `day`, writes their notices and the intent to mail them.
 * A day that the organization has not reached yet counts as its own today.
 * @returns how many were marked; 0 when there is nothing left, save what somebody else is changing right now
 * @throws RowMissing without an organization
 */
export async function markInvoicesOverdue(day: string): Promise<number> {
  const organizationId = currentOrganization();
  const local = await firstRow<{ today: string }>(
    `SELECT to_char(least($2::date, ${LOCAL_DAY_SQL}), 'YYYY-MM-DD') AS today FROM organizations o WHERE o.id = $1`,
    [organizationId, day],
  );
  if (!local) throw new RowMissing('There is no such organization.');
  const { today } = local;
  const { marked, batch } = await oneRow<{ marked: number; batch: string | null }>(
    `WITH due AS (
       SELECT i.id FROM chapter_invoices i WHERE i.organization_id = $1 AND ${isOverdueSql(2)}
        ORDER BY i.due_date, i.id LIMIT ${PAGE} FOR UPDATE SKIP LOCKED),
     marked AS (
       UPDATE chapter_invoices i SET overdue_at = now()
         FROM due WHERE i.organization_id = $1 AND i.id = due.id RETURNING i.id),
     noticed AS (
       INSERT INTO invoice_notices (organization_id, invoice_id, kind) SELECT $1, id, 'overdue' FROM marked
       ON CONFLICT ON CONSTRAINT invoice_notices_once DO NOTHING RETURNING id),
     logged AS (
       ${INTO_AUDIT_LOG}
       SELECT $1, 'invoice.marked_overdue', 'invoice', id, NULL, NULL, jsonb_build_object('day', $2::text) FROM marked)
     SELECT (SELECT count(*)::int FROM marked) AS marked, (SELECT id FROM noticed ORDER BY id LIMIT 1) AS batch`,
    [organizationId, today],
  );
  if (batch) await enqueue(sendOverdueNotices, { day: today, batchId: batch });
  return marked;
}
