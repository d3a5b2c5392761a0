import { lockExclusive } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { ChapterInvoice } from './ChapterInvoice.js';

/**
 * Locks an invoice, or the invoice that replaces it where its dues were reissued. @returns null when this tenant has no
 * such invoice
 */
export async function lockCurrentInvoice(invoiceId: string): Promise<ChapterInvoice | null> {
  for (let id = invoiceId; ; ) {
    const invoice = await lockExclusive(ChapterInvoice, id);
    if (invoice?.status !== 'void') return invoice;
    const replacement = await firstRow<{ id: string }>(
      'SELECT id FROM chapter_invoices WHERE organization_id = $1 AND replaces = $2',
      [currentOrganization(), id],
    );
    if (!replacement) return invoice;
    id = replacement.id;
  }
}
