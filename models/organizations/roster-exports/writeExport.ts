/** Steps of the export workflow. Each attempt writes a file of its own, and one of them becomes the export's file. */
import { changeRow, lockForEditIfExists, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import { type NewFile, beginFile, type FileFacts, abandonUpload, completeUpload } from '../files/storedFiles.js';
import { type Cursor, countMembers, readNextMembers, type RosterRows } from './members.js';
import { type ExportStatus, RosterExport } from './RosterExport.js';

/** The members and columns that the export writes. */
export type ExportScope = Pick<RosterExport, 'filters' | 'with_profiles'>;

interface BegunExport extends ExportScope {
  status: ExportStatus;
  /** The file to write; null if there is nothing left to write. */
  file: (NewFile & { name: string }) | null;
  format: RosterExport['format'];
}

/**
 * Begins an attempt with a new, empty file. @param maxRows maximum number of rows of each format @throws RowMissing
 */
export async function beginExport(id: string, maxRows: Record<RosterExport['format'], number>): Promise<BegunExport> {
  const rosterExport = await lockForEditIfExists(RosterExport, id);
  if (!rosterExport) throw new RowMissing('The export does not exist.');
  const { format, filters, with_profiles, status, requested_by, created_at } = rosterExport;
  const finished = (ended: ExportStatus): BegunExport => ({
    status: ended,
    file: null,
    format,
    filters,
    with_profiles,
  });
  if (status !== 'running' || !requested_by) return finished(status);
  const members_total = await countMembers(filters);
  if (members_total > maxRows[format]) {
    await changeRow(RosterExport, id, { status: 'failed', failure: 'too_many_rows', members_total, ended_at: now });
    return finished('failed');
  }
  await changeRow(RosterExport, id, { members_total, rows_written: 0 });
  const newFile = await beginFile('roster_export', requested_by);
  const name = `roster-${created_at.toISOString().slice(0, 10)}.${format}`;
  return { status, file: { ...newFile, name }, format, filters, with_profiles };
}

/** Reads the next rows and records their number as written. @returns null if the export has ended in the meantime */
export async function readNextRows(
  id: string,
  scope: ExportScope,
  after: Cursor | null,
  written: number,
): Promise<RosterRows | null> {
  const batch = await readNextMembers(scope, after);
  const rows_written = written + batch.rows.length;
  return (await changeRow(RosterExport, { id, status: 'running' }, { rows_written })) ? batch : null;
}

/**
 * Completes the file and makes it the file of the export, unless the export has ended in the meantime.
 * @returns the export's status
 */
export async function completeExport(id: string, fileId: string, facts: FileFacts): Promise<ExportStatus> {
  const running = await lockForEditIfExists(RosterExport, { id, status: 'running' });
  if (!running) {
    await abandonUpload(fileId);
    return (await findRow(RosterExport, id))?.status ?? 'cancelled';
  }
  await completeUpload(fileId, facts);
  await changeRow(RosterExport, id, { status: 'ready', file_id: fileId, ended_at: now });
  return 'ready';
}
