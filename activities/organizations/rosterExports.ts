import { inStore } from '../../gateways/storage/inStore.js';
import type { Batch } from '../../gateways/tables/columns.js';
import { MOST_WORKSHEET_ROWS, writeTable } from '../../gateways/tables/writeTable.js';
import { inTenant } from '../../models/database/tenancy.js';
import { SPREADSHEET } from '../../models/organizations/files/purposes.js';
import { giveUpUpload, keyOf } from '../../models/organizations/files/storedFiles.js';
import { stopExport } from '../../models/organizations/roster-exports/endExport.js';
import { type Cursor, type RosterRows, rosterColumns } from '../../models/organizations/roster-exports/members.js';
import type { ExportStatus } from '../../models/organizations/roster-exports/RosterExport.js';
import {
  beginExport,
  keepExport,
  requireExport,
  takeNextRows,
  type Wanted,
} from '../../models/organizations/roster-exports/writeExport.js';
import type { ExportRosterInput } from '../../workflows/contracts/exportRoster.js';
import { digested } from '../digested.js';
import { heartbeating } from '../heartbeating.js';

const MOST_ROWS = { csv: Number.POSITIVE_INFINITY, xlsx: MOST_WORKSHEET_ROWS };
const MEDIA_TYPES = { csv: 'text/csv', xlsx: SPREADSHEET };

/** The export was ended while it was written. */
class Ended extends Error {}

/**
 * Writes the roster as one object of the store, a page of members at a time, no transaction open between two. Run again it
 * begins anew with another file; what an earlier try has left is swept. @returns how the export stands @throws StorageUnavailable
 */
export const writeRoster = (input: ExportRosterInput): Promise<ExportStatus> => heartbeating(() => write(input));

async function write({ organizationId, exportId }: ExportRosterInput): Promise<ExportStatus> {
  await inTenant(organizationId, () => requireExport(exportId), { readOnly: true });
  const { status, file, format, ...wanted } = await inTenant(organizationId, () => beginExport(exportId, MOST_ROWS));
  if (!file) return status;
  const table = writeTable(format, rosterColumns(wanted.with_profiles), membersOf(organizationId, exportId, wanted));
  const { bytes, facts } = digested(table);
  try {
    await inStore(file.place.store, (store) => store.put(keyOf(organizationId, file.id, file.place), bytes));
    const kept = { name: file.name, media_type: MEDIA_TYPES[format], ...facts() };
    return await inTenant(organizationId, () => keepExport(exportId, file.id, kept));
  } catch (error) {
    await inTenant(organizationId, () => giveUpUpload(file.id));
    if (error instanceof Ended) return 'cancelled';
    throw error;
  } finally {
    // A store that failed leaves the rest unread.
    bytes.destroy();
    table.destroy();
  }
}

async function* membersOf(organizationId: string, exportId: string, wanted: Wanted): AsyncGenerator<Batch> {
  let written = 0;
  let after: Cursor | null = null;
  do {
    const from: Cursor | null = after;
    const page: RosterRows | null = await inTenant(organizationId, () => takeNextRows(exportId, wanted, from, written));
    if (!page) throw new Ended();
    written += page.rows.length;
    after = page.last;
    yield page.rows;
  } while (after);
}

/** Ends an export whose process was asked to end. */
export const cancelRosterExport = ({ organizationId, exportId }: ExportRosterInput): Promise<void> =>
  inTenant(organizationId, () => stopExport(exportId));
