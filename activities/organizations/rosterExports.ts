import { MOST_WORKSHEET_ROWS, writeTable } from '../../gateways/tables/writeTable.js';
import { inTenant } from '../../models/database/tenancy.js';
import { SPREADSHEET } from '../../models/organizations/files/purposes.js';
import { stopExport } from '../../models/organizations/roster-exports/endExport.js';
import { type Cursor, rosterColumns } from '../../models/organizations/roster-exports/members.js';
import type { ExportStatus } from '../../models/organizations/roster-exports/RosterExport.js';
import { beginExport, keepExport, takeNextRows } from '../../models/organizations/roster-exports/writeExport.js';
import type { ExportRosterInput } from '../../workflows/contracts/exportRoster.js';
import { rowsOfPages, storeTable } from '../storedTables.js';

const MOST_ROWS = { csv: Number.POSITIVE_INFINITY, xlsx: MOST_WORKSHEET_ROWS };
const MEDIA_TYPES = { csv: 'text/csv', xlsx: SPREADSHEET };

/**
 * Writes the roster as one stored object, one batch of members at a time, without a transaction open in between. A
 * second run starts again with a new file; what an earlier try left behind is swept. @returns the export's status
 * @throws StorageUnavailable
 */
export async function writeRoster({ organizationId, exportId }: ExportRosterInput): Promise<ExportStatus> {
  const { status, file, format, ...wanted } = await inTenant(organizationId, () => beginExport(exportId, MOST_ROWS));
  if (!file) return status;
  const take = (after: Cursor | null, written: number) =>
    inTenant(organizationId, () => takeNextRows(exportId, wanted, after, written));
  const table = writeTable(format, rosterColumns(wanted.with_profiles), rowsOfPages(take));
  const kept = await storeTable(organizationId, file, table, (facts) =>
    keepExport(exportId, file.id, { name: file.name, media_type: MEDIA_TYPES[format], ...facts }),
  );
  return kept ?? 'cancelled';
}

/** Ends an export whose process was cancelled. */
export const cancelRosterExport = ({ organizationId, exportId }: ExportRosterInput): Promise<void> =>
  inTenant(organizationId, () => stopExport(exportId));
