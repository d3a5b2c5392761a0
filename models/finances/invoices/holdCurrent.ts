import { holdRow } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { ChapterInvoice } from './ChapterInvoice.js';

/** An invoice, or where its dues were issued anew the one that stands for it now, held; null where this tenant has none such. */
export async function holdCurrent(invoiceId: string): Promise<ChapterInvoice | null> {
  for (let id = invoiceId; ; ) {
    const invoice = await holdRow(ChapterInvoice, id);
    if (invoice?.status !== 'void') return invoice;
    const replacement = await firstRow<{ id: string }>(
      'SELECT id FROM chapter_invoices WHERE organization_id = $1 AND replaces = $2',
      [currentOrganization(), id],
    );
    if (!replacement) return invoice;
    id = replacement.id;
  }
}
