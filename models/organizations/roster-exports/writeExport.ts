/** What the process does to the row of an export: each try writes a file of its own, and one of them becomes the export's. */
import { changeRow, lockIfThere, now } from '../../database/model/change.js';
import { findRow } from '../../database/model/read.js';
import { RowMissing } from '../../errors.js';
import { type BegunFile, beginFile, type FileFacts, giveUpUpload, keepUpload } from '../files/storedFiles.js';
import { type Cursor, countMembers, readNextMembers, type RosterRows } from './members.js';
import { type ExportStatus, RosterExport } from './RosterExport.js';

/** What is written: whom, and of each what. */
export type Wanted = Pick<RosterExport, 'filters' | 'with_profiles'>;

interface Begun extends Wanted {
  status: ExportStatus;
  /** Null: there is nothing left to write. */
  file: (BegunFile & { name: string }) | null;
  format: RosterExport['format'];
}

/** Begins anew, with a file that nothing is in. @param mostRows that the format holds @throws RowMissing */
export async function beginExport(id: string, mostRows: Record<RosterExport['format'], number>): Promise<Begun> {
  const found = await lockIfThere(RosterExport, id);
  if (!found) throw new RowMissing('There is no such export.');
  const { format, filters, with_profiles, status, requested_by, created_at } = found;
  const over = (ended: ExportStatus): Begun => ({ status: ended, file: null, format, filters, with_profiles });
  if (status !== 'running' || !requested_by) return over(status);
  const members_total = await countMembers(filters);
  if (members_total > mostRows[format]) {
    await changeRow(RosterExport, id, { status: 'failed', failure: 'too_many_rows', members_total, ended_at: now });
    return over('failed');
  }
  await changeRow(RosterExport, id, { members_total, rows_written: 0 });
  const begun = await beginFile('roster_export', requested_by);
  const name = `roster-${created_at.toISOString().slice(0, 10)}.${format}`;
  return { status, file: { ...begun, name }, format, filters, with_profiles };
}

/** The next rows, noted down as written. @returns null when the export has ended meanwhile */
export async function takeNextRows(
  id: string,
  wanted: Wanted,
  after: Cursor | null,
  written: number,
): Promise<RosterRows | null> {
  const page = await readNextMembers(wanted, after);
  const rows_written = written + page.rows.length;
  return (await changeRow(RosterExport, { id, status: 'running' }, { rows_written })) ? page : null;
}

/** The bytes are in the store: the file is the export's, unless that has ended meanwhile. @returns how the export stands */
export async function keepExport(id: string, fileId: string, facts: FileFacts): Promise<ExportStatus> {
  const running = await lockIfThere(RosterExport, { id, status: 'running' });
  if (!running) {
    await giveUpUpload(fileId);
    return (await findRow(RosterExport, id))?.status ?? 'cancelled';
  }
  await keepUpload(fileId, facts);
  await changeRow(RosterExport, id, { status: 'ready', file_id: fileId, ended_at: now });
  return 'ready';
}
