import { currentOrganization, oneRow } from '../../database/rows.js';
import { notifyAll } from '../../notifications/notify.js';
import { told } from '../notifications.js';
import { DUE_SOON_DAYS, IS_DUE_SOON, IS_MORNING, LOCAL_DAY_SQL, MOVED_TO } from './localDay.js';
import { type DueDate, factsOf } from './occasions.js';

const PAGE = 500;

/**
 * Reminds the payers of a page of invoices that are due in some days, each invoice once, from the organization's morning on.
 * Whoever pays right now is passed over.
 * @returns of how many; 0 when there is nothing left
 */
export async function remindOfDueInvoices(): Promise<number> {
  const { due } = await oneRow<{ due: DueDate[] }>(
    `WITH due AS (
       SELECT i.id, ${MOVED_TO} AS moved_to FROM organizations o
        CROSS JOIN LATERAL (SELECT ${LOCAL_DAY_SQL} AS today, ${DUE_SOON_DAYS} AS days) l
         JOIN chapter_invoices i ON i.organization_id = o.id
        WHERE o.id = $1 AND ${IS_MORNING} AND ${IS_DUE_SOON}
        ORDER BY i.due_date, i.id LIMIT ${PAGE} FOR NO KEY UPDATE OF i SKIP LOCKED),
     noticed AS (
       INSERT INTO invoice_notices (organization_id, invoice_id, kind, outcome, moved_to)
       SELECT $1, id, 'due_soon', 'told', moved_to FROM due
       ON CONFLICT ON CONSTRAINT invoice_notices_once DO NOTHING RETURNING invoice_id AS invoice, moved_to)
     SELECT coalesce(json_agg(noticed), '[]') AS due FROM noticed`,
    [currentOrganization()],
  );
  await notifyAll(...factsOf(told.invoice_due_soon, due));
  return due.length;
}
