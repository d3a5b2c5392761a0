import { firstRow } from '../../database/rows.js';

/** Reads who pays an invoice, for permission checks. */
export const readInvoicePayer = (
  invoiceId: string,
): Promise<{ chapter_id: string; membership_id: string | null } | null> =>
  firstRow(
    'SELECT chapter_id, membership_id FROM chapter_invoices WHERE organization_id = (SELECT app.org_id()) AND id = $1',
    [invoiceId],
  );
