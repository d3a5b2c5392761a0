/** Steps of an invoice export: one stored object, written batch by batch. No transaction is open between batches. */
import { MAX_WORKSHEET_ROWS } from '../../gateways/tables/writeTable.js';
import { xlsxOf } from '../../gateways/tables/xlsx.js';
import { inTenant } from '../../models/database/tenancy.js';
import { toCells, type Sums, toTotals } from '../../models/finances/invoice-exports/cells.js';
import { findColumn } from '../../models/finances/invoice-exports/columns.js';
import type { ExportState } from '../../models/finances/invoice-exports/InvoiceExport.js';
import { tryCancelExport } from '../../models/finances/invoice-exports/requestExport.js';
import { beginExport, completeExport, readNextBatch } from '../../models/finances/invoice-exports/writeExport.js';
import { SPREADSHEET } from '../../models/organizations/files/purposes.js';
import type { ExportInvoicesInput } from '../../workflows/contracts/exportInvoices.js';
import { rowsInBatches, storeTable } from '../storedTables.js';

/**
 * Writes the invoices of an export. A second run starts again with a new file and a new snapshot time. The cleanup
 * schedule deletes files that earlier attempts left behind.
 * @returns the export's state
 * @throws StorageUnavailable
 */
export async function writeInvoices({ organizationId, exportId }: ExportInvoicesInput): Promise<ExportState> {
  // 200 rows of the worksheet are reserved for the totals at its end: one for each currency, of which there are fewer
  // than 200.
  const { state, work } = await inTenant(organizationId, () => beginExport(exportId, MAX_WORKSHEET_ROWS - 200));
  if (!work) return state;
  const { file, name, selection: chosen, columns, about } = work;
  const sums: Sums = new Map();
  const readBatch = async (after: string | null, written: number) => {
    const batch = await inTenant(organizationId, () => readNextBatch(exportId, chosen, columns, after, written));
    return batch && { rows: toCells(batch.invoices, columns, sums), last: batch.last };
  };
  const table = xlsxOf(columns.map(findColumn), rowsInBatches(readBatch), {
    name: 'Invoices',
    currencyColumn: columns.indexOf('currency'),
    totals: () => toTotals(sums),
    about,
  });
  const finalState = await storeTable(organizationId, file, table, (facts) =>
    completeExport(exportId, file.id, { name, media_type: SPREADSHEET, ...facts }),
  );
  return finalState ?? 'cancelled';
}

/** Cancels an export whose process was cancelled. */
export const cancelInvoiceExport = ({ organizationId, exportId }: ExportInvoicesInput): Promise<void> =>
  inTenant(organizationId, () => tryCancelExport(exportId));
