/** What the process does to the row of an export: each try writes a file of its own, and one of them becomes the export's. */
import { changeRow, lockIfThere, now } from '../../database/model/change.js';
import { loadIfThere } from '../../database/model/read.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import {
  type BegunFile,
  beginFile,
  type FileFacts,
  giveUpUpload,
  keepUpload,
} from '../../organizations/files/storedFiles.js';
import { type ColumnName, columnsShown } from './columns.js';
import { type ExportState, InvoiceExport } from './InvoiceExport.js';
import { type Chosen, countInvoices, type InvoicePage, readNextInvoices } from './rows.js';

export interface Begun {
  state: ExportState;
  /** Null: there is nothing left to write. */
  work: { file: BegunFile; name: string; chosen: Chosen; columns: ColumnName[]; about: [string, string][] } | null;
}

/** Whether whoever asked may read amounts: an administrator, or an officer who is shown them. */
async function showsAmounts(requestedBy: string, chapter: string | null): Promise<boolean> {
  const { shows } = await oneRow<{ shows: boolean }>('SELECT app.sees_amounts($1, $3, $2) AS shows', [
    currentOrganization(),
    requestedBy,
    chapter,
  ]);
  return shows;
}

/** Begins anew, with a file that nothing is in and a moment of its own. @throws RowMissing */
export async function beginExport(id: string, mostRows: number): Promise<Begun> {
  const found = await lockIfThere(InvoiceExport, id);
  if (!found) throw new RowMissing('There is no such export.');
  const { state, filters, columns, chapter_id: chapter, requested_by: requestedBy } = found;
  if ((state !== 'queued' && state !== 'running') || !requestedBy) return { state, work: null };
  const { at, organization } = await oneRow<{ at: string; organization: string }>(
    'SELECT now()::text AS at, name AS organization FROM organizations WHERE id = $1',
    [currentOrganization()],
  );
  const cutOff = new Date(at);
  const chosen = { chapter, filters, cutOff };
  const rows_total = await countInvoices(chosen);
  if (rows_total > mostRows) {
    const failed = { state: 'failed', failure: 'too_many_rows', place: null, rows_total, ended_at: now } as const;
    await changeRow(InvoiceExport, id, failed);
    return { state: 'failed', work: null };
  }
  const has_amounts = await showsAmounts(requestedBy, chapter);
  await changeRow(InvoiceExport, id, { state: 'running', cut_off: cutOff, rows_total, rows_done: 0, has_amounts });
  const file = await beginFile('invoice_export', requestedBy);
  const about: [string, string][] = [
    ['Organization', organization],
    ['As of', cutOff.toISOString()],
    ['Invoices', String(rows_total)],
    ...(chapter ? [['chapter', chapter] as [string, string]] : []),
    ...Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
  ];
  const name = `invoices-${cutOff.toISOString().slice(0, 10)}.xlsx`;
  return { state: 'running', work: { file, name, chosen, columns: columnsShown(columns, has_amounts), about } };
}

/** The next rows, noted down as written. @returns null when the export has ended meanwhile */
export async function takeNextRows(
  id: string,
  chosen: Chosen,
  columns: readonly ColumnName[],
  after: string | null,
  done: number,
): Promise<InvoicePage | null> {
  const page = await readNextInvoices(chosen, columns, after);
  const rows_done = done + page.invoices.length;
  return (await changeRow(InvoiceExport, { id, state: 'running' }, { rows_done })) ? page : null;
}

/** The bytes are in the store: the file is the export's, unless that has ended meanwhile. @returns how the export stands */
export async function keepExport(id: string, fileId: string, facts: FileFacts): Promise<ExportState> {
  const running = await lockIfThere(InvoiceExport, { id, state: 'running' });
  if (!running) {
    await giveUpUpload(fileId);
    return (await loadIfThere(InvoiceExport, id))?.state === 'ready' ? 'ready' : 'cancelled';
  }
  await keepUpload(fileId, facts);
  const ready = { state: 'ready', place: null, file_id: fileId, sha256: facts.sha256, ended_at: now } as const;
  await changeRow(InvoiceExport, id, ready);
  return 'ready';
}

/** The file of one that is ready; null: not yet, or not any more. */
export const fileOfExport = async (id: string): Promise<string | null> =>
  (await loadIfThere(InvoiceExport, id))?.file_id ?? null;
