import { currentOrganization, oneRow } from '../../database/rows.js';
import { notify } from '../../notifications/notify.js';
import { told } from '../notifications.js';
import { DUE_SOON_DAYS, IS_DUE_SOON, IS_MORNING, LOCAL_DAY_SQL } from './localDay.js';

const PAGE = 500;

/**
 * Reminds the payers of a page of invoices that are due in some days, each invoice once, from the organization's morning on.
 * Whoever pays right now is passed over.
 * @returns of how many; 0 when there is nothing left
 */
export async function remindOfDueInvoices(): Promise<number> {
  const { due } = await oneRow<{ due: string[] }>(
    `WITH due AS (
       SELECT i.id FROM organizations o
        CROSS JOIN LATERAL (SELECT ${LOCAL_DAY_SQL} AS today, ${DUE_SOON_DAYS} AS days) l
         JOIN chapter_invoices i ON i.organization_id = o.id
        WHERE o.id = $1 AND ${IS_MORNING} AND ${IS_DUE_SOON}
        ORDER BY i.due_date, i.id LIMIT ${PAGE} FOR NO KEY UPDATE OF i SKIP LOCKED),
     noticed AS (
       INSERT INTO invoice_notices (organization_id, invoice_id, kind, outcome) SELECT $1, id, 'due_soon', 'told' FROM due
       ON CONFLICT ON CONSTRAINT invoice_notices_once DO NOTHING RETURNING invoice_id)
     SELECT ARRAY(SELECT invoice_id FROM noticed) AS due`,
    [currentOrganization()],
  );
  await notify(told.invoice_due_soon, due);
  return due.length;
}
