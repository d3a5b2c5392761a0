import type { RemittanceRow } from './queries';

/** Names a remittance, for example `Alpha, 25 invoices`. */
export function titleOf({ chapter, invoice_count }: RemittanceRow, chapters: ReadonlyMap<string, string>): string {
  const invoices = invoice_count === 1 ? '1 invoice' : `${invoice_count} invoices`;
  return `${chapters.get(chapter) ?? 'Remittance'}, ${invoices}`;
}
