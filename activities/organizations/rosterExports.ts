import { MAX_WORKSHEET_ROWS, writeTable } from '../../gateways/tables/writeTable.js';
import { inTenant } from '../../models/database/tenancy.js';
import { SPREADSHEET } from '../../models/organizations/files/purposes.js';
import { stopExport } from '../../models/organizations/roster-exports/endExport.js';
import { type Cursor, rosterColumns } from '../../models/organizations/roster-exports/members.js';
import type { ExportStatus } from '../../models/organizations/roster-exports/RosterExport.js';
import { beginExport, completeExport, readNextRows } from '../../models/organizations/roster-exports/writeExport.js';
import type { ExportRosterInput } from '../../workflows/contracts/exportRoster.js';
import { rowsInBatches, storeTable } from '../storedTables.js';

const MAX_ROWS = { csv: Number.POSITIVE_INFINITY, xlsx: MAX_WORKSHEET_ROWS };
const MEDIA_TYPES = { csv: 'text/csv', xlsx: SPREADSHEET };

/**
 * Writes the roster as one stored object, one batch of members at a time. No transaction is open between batches. A
 * second run starts again with a new file. The cleanup schedule deletes files that earlier attempts left behind.
 * @returns the export's status
 * @throws StorageUnavailable
 */
export async function writeRoster({ organizationId, exportId }: ExportRosterInput): Promise<ExportStatus> {
  const { status, file, format, ...selection } = await inTenant(organizationId, () => beginExport(exportId, MAX_ROWS));
  if (!file) return status;
  const readBatch = (after: Cursor | null, written: number) =>
    inTenant(organizationId, () => readNextRows(exportId, selection, after, written));
  const table = writeTable(format, rosterColumns(selection.with_profiles), rowsInBatches(readBatch));
  const finalStatus = await storeTable(organizationId, file, table, (facts) =>
    completeExport(exportId, file.id, { name: file.name, media_type: MEDIA_TYPES[format], ...facts }),
  );
  return finalStatus ?? 'cancelled';
}

/** Cancels an export whose process was cancelled. */
export const cancelRosterExport = ({ organizationId, exportId }: ExportRosterInput): Promise<void> =>
  inTenant(organizationId, () => stopExport(exportId));
