/** The steps of an export of invoices: one object of the store, written a page at a time, no transaction open between two. */
import type { Batch } from '../../gateways/tables/columns.js';
import { MOST_WORKSHEET_ROWS } from '../../gateways/tables/writeTable.js';
import { xlsxOf } from '../../gateways/tables/xlsx.js';
import { inTenant } from '../../models/database/tenancy.js';
import { columnNamed, decimal } from '../../models/finances/invoice-exports/columns.js';
import type { ExportState } from '../../models/finances/invoice-exports/InvoiceExport.js';
import { stopExport } from '../../models/finances/invoice-exports/requestExport.js';
import type { InvoiceRows } from '../../models/finances/invoice-exports/rows.js';
import {
  beginExport,
  type Begun,
  keepExport,
  requireExport,
  stateOf,
  takeNextRows,
} from '../../models/finances/invoice-exports/writeExport.js';
import { SPREADSHEET } from '../../models/organizations/files/purposes.js';
import { giveUpUpload, keyOf } from '../../models/organizations/files/storedFiles.js';
import { inStore } from '../../gateways/storage/inStore.js';
import type { ExportInvoicesInput } from '../../workflows/contracts/exportInvoices.js';
import { digested } from '../digested.js';
import { heartbeating } from '../heartbeating.js';

/** The export was ended while it was written. */
class Ended extends Error {}

type Work = NonNullable<Begun['work']>;

/**
 * Writes the invoices of an export. Run again it begins anew with another file and another moment; what an earlier try has left
 * is swept. @returns how the export stands @throws StorageUnavailable
 */
export const writeInvoices = (input: ExportInvoicesInput): Promise<ExportState> => heartbeating(() => write(input));

async function write({ organizationId, exportId }: ExportInvoicesInput): Promise<ExportState> {
  await inTenant(organizationId, () => requireExport(exportId), { readOnly: true });
  // A line below the rows for each currency: there are fewer than that many.
  const { state, work } = await inTenant(organizationId, () => beginExport(exportId, MOST_WORKSHEET_ROWS - 200));
  if (!work) return state;
  const { file, name, columns } = work;
  const sums: InvoiceRows['sums'] = new Map();
  const table = xlsxOf(columns.map(columnNamed), invoicesOf(organizationId, exportId, work, sums), {
    name: 'Invoices',
    currencyColumn: columns.indexOf('currency'),
    totals: () =>
      [...sums].map(([currency, ofCurrency]) => ({
        currency: currency.toUpperCase(),
        sums: new Map([...ofCurrency].map(([place, amount]) => [place, decimal(amount, currency)])),
      })),
    about: work.about,
  });
  const { bytes, facts } = digested(table);
  try {
    await inStore(file.place.store, (store) => store.put(keyOf(organizationId, file.id, file.place), bytes));
    const kept = { name, media_type: SPREADSHEET, ...facts() };
    return await inTenant(organizationId, () => keepExport(exportId, file.id, kept));
  } catch (error) {
    await inTenant(organizationId, () => giveUpUpload(file.id));
    if (error instanceof Ended) return await inTenant(organizationId, () => stateOf(exportId));
    throw error;
  } finally {
    // A store that failed leaves the rest unread.
    bytes.destroy();
    table.destroy();
  }
}

/** @param sums of what was read, filled in while that is written */
async function* invoicesOf(
  organizationId: string,
  exportId: string,
  { chosen, columns }: Work,
  sums: InvoiceRows['sums'],
): AsyncGenerator<Batch> {
  let done = 0;
  let after: string | null = null;
  do {
    const from: string | null = after;
    const page: InvoiceRows | null = await inTenant(organizationId, () =>
      takeNextRows(exportId, chosen, columns, from, done),
    );
    if (!page) throw new Ended();
    done += page.rows.length;
    after = page.last;
    addUp(sums, page.sums);
    yield page.rows;
  } while (after);
}

function addUp(sums: InvoiceRows['sums'], more: InvoiceRows['sums']): void {
  for (const [currency, columns] of more) {
    const ofCurrency = sums.get(currency) ?? new Map<number, bigint>();
    for (const [place, amount] of columns) ofCurrency.set(place, (ofCurrency.get(place) ?? 0n) + amount);
    sums.set(currency, ofCurrency);
  }
}

/** Ends an export whose process was asked to end. */
export const cancelInvoiceExport = ({ organizationId, exportId }: ExportInvoicesInput): Promise<void> =>
  inTenant(organizationId, () => stopExport(exportId));
