/**
 * Updates the row of an export for its workflow. Each attempt of the workflow writes its own file, and one of these
 * files becomes the export's.
 */
import { changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { loadIfExists } from '../../database/model/read.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import {
  type NewFile,
  beginFile,
  type FileFacts,
  abandonUpload,
  completeUpload,
} from '../../organizations/files/storedFiles.js';
import { type ColumnName, selectColumns } from './columns.js';
import { type ExportState, InvoiceExport } from './InvoiceExport.js';
import { type ExportSelection, countInvoices, type InvoiceBatch, readNextInvoices } from './rows.js';

export interface ExportStart {
  state: ExportState;
  /** The file to write and its content; null if the export has ended or has too many rows. */
  work: {
    file: NewFile;
    name: string;
    selection: ExportSelection;
    columns: ColumnName[];
    about: [string, string][];
  } | null;
}

/**
 * Reports whether the requester may see amounts: administrators may, and officers if the organization shows amounts to
 * them.
 */
async function mayShowAmounts(requestedBy: string, chapter: string | null): Promise<boolean> {
  const { shows } = await oneRow<{ shows: boolean }>('SELECT app.sees_amounts($1, $3, $2) AS shows', [
    currentOrganization(),
    requestedBy,
    chapter,
  ]);
  return shows;
}

/** Starts an attempt with a new file and a new cut-off time. @throws RowMissing */
export async function beginExport(id: string, maxRows: number): Promise<ExportStart> {
  const row = await lockForEditIfExists(InvoiceExport, id);
  if (!row) throw new RowMissing('There is no such export.');
  const { state, filters, columns, chapter_id: chapter, requested_by: requestedBy } = row;
  if ((state !== 'queued' && state !== 'running') || !requestedBy) return { state, work: null };
  const { at, organization } = await oneRow<{ at: string; organization: string }>(
    'SELECT now()::text AS at, name AS organization FROM organizations WHERE id = $1',
    [currentOrganization()],
  );
  const cutOff = new Date(at);
  const chosen = { chapter, filters, cutOff };
  const rows_total = await countInvoices(chosen);
  if (rows_total > maxRows) {
    const failed = { state: 'failed', failure: 'too_many_rows', place: null, rows_total, ended_at: now } as const;
    await changeRow(InvoiceExport, id, failed);
    return { state: 'failed', work: null };
  }
  const has_amounts = await mayShowAmounts(requestedBy, chapter);
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
  return {
    state: 'running',
    work: { file, name, selection: chosen, columns: selectColumns(columns, has_amounts), about },
  };
}

/** Reads the next batch and records the progress. @returns null when the export has ended meanwhile */
export async function readNextBatch(
  id: string,
  selection: ExportSelection,
  columns: readonly ColumnName[],
  after: string | null,
  done: number,
): Promise<InvoiceBatch | null> {
  const batch = await readNextInvoices(selection, columns, after);
  const rows_done = done + batch.invoices.length;
  return (await changeRow(InvoiceExport, { id, state: 'running' }, { rows_done })) ? batch : null;
}

/** Completes an export with its uploaded file, unless it has ended meanwhile. @returns the export's state */
export async function completeExport(id: string, fileId: string, facts: FileFacts): Promise<ExportState> {
  const running = await lockForEditIfExists(InvoiceExport, { id, state: 'running' });
  if (!running) {
    await abandonUpload(fileId);
    return (await loadIfExists(InvoiceExport, id))?.state === 'ready' ? 'ready' : 'cancelled';
  }
  await completeUpload(fileId, facts);
  const ready = { state: 'ready', place: null, file_id: fileId, sha256: facts.sha256, ended_at: now } as const;
  await changeRow(InvoiceExport, id, ready);
  return 'ready';
}

/** Returns the file of a completed export; null while the export is not completed, and after its file was deleted. */
export const findExportFile = async (id: string): Promise<string | null> =>
  (await loadIfExists(InvoiceExport, id))?.file_id ?? null;
