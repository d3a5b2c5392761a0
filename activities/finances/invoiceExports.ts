/** Steps of an invoice export: one stored object, written batch by batch, without a transaction open in between. */
import { MOST_WORKSHEET_ROWS } from '../../gateways/tables/writeTable.js';
import { xlsxOf } from '../../gateways/tables/xlsx.js';
import { inTenant } from '../../models/database/tenancy.js';
import { asCells, type Sums, totalsOf } from '../../models/finances/invoice-exports/cells.js';
import { columnNamed } from '../../models/finances/invoice-exports/columns.js';
import type { ExportState } from '../../models/finances/invoice-exports/InvoiceExport.js';
import { stopExport } from '../../models/finances/invoice-exports/requestExport.js';
import { beginExport, keepExport, takeNextRows } from '../../models/finances/invoice-exports/writeExport.js';
import { SPREADSHEET } from '../../models/organizations/files/purposes.js';
import type { ExportInvoicesInput } from '../../workflows/contracts/exportInvoices.js';
import { rowsOfPages, storeTable } from '../storedTables.js';

/**
 * Writes the invoices of an export. A second run starts again with a new file and a new snapshot time; what an
 * earlier try left behind is swept. @returns the export's state @throws StorageUnavailable
 */
export async function writeInvoices({ organizationId, exportId }: ExportInvoicesInput): Promise<ExportState> {
  // The worksheet ends with a total per currency; there are fewer than 200 currencies.
  const { state, work } = await inTenant(organizationId, () => beginExport(exportId, MOST_WORKSHEET_ROWS - 200));
  if (!work) return state;
  const { file, name, chosen, columns, about } = work;
  const sums: Sums = new Map();
  const take = async (after: string | null, written: number) => {
    const page = await inTenant(organizationId, () => takeNextRows(exportId, chosen, columns, after, written));
    return page && { rows: asCells(page.invoices, columns, sums), last: page.last };
  };
  const table = xlsxOf(columns.map(columnNamed), rowsOfPages(take), {
    name: 'Invoices',
    currencyColumn: columns.indexOf('currency'),
    totals: () => totalsOf(sums),
    about,
  });
  const kept = await storeTable(organizationId, file, table, (facts) =>
    keepExport(exportId, file.id, { name, media_type: SPREADSHEET, ...facts }),
  );
  return kept ?? 'cancelled';
}

/** Ends an export whose process was cancelled. */
export const cancelInvoiceExport = ({ organizationId, exportId }: ExportInvoicesInput): Promise<void> =>
  inTenant(organizationId, () => stopExport(exportId));
