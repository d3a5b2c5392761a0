/** Reads a held file for the virus scanner and applies the scanner's result. */
import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { organizationsUpstream } from '../upstream.js';
import { type StorageLocation, readFileLocation } from '../storage-config/storageLocations.js';
import type { FilePurpose } from './purposes.js';
import type { FileFacts } from './storedFiles.js';

/** The result of a scan. `removed`: the file was removed before the scanner finished. */
export type ScanOutcome = 'clean' | 'infected' | 'removed';

export interface FileToScan extends Pick<FileFacts, 'size_bytes' | 'sha256'> {
  id: string;
  location: StorageLocation;
}

/** The scanner's result. */
type ScanResult = { clean: true } | { clean: false; signature: string };

interface ScannedFile extends Pick<FileFacts, 'size_bytes' | 'sha256'> {
  status: 'held' | 'kept' | 'removing';
  scan: 'waiting' | 'clean' | 'infected' | null;
  purpose: FilePurpose;
}

async function readScannedFile(id: string): Promise<ScannedFile> {
  const file = await firstRow<ScannedFile>(
    `SELECT status, scan, purpose, size_bytes::float8 AS size_bytes, sha256 FROM stored_files
      WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  if (!file) throw new RowMissing('There is no such file.');
  return file;
}

const outcomeOf = ({ scan }: ScannedFile): ScanOutcome => (scan === 'clean' || scan === 'infected' ? scan : 'removed');

/**
 * Returns the location, size and digest of a file that is held until its virus scan ends. If the file is no longer
 * held, returns the outcome of the scan instead.
 * @throws RowMissing
 */
export async function readFileToScan(id: string): Promise<FileToScan | ScanOutcome> {
  const file = await readScannedFile(id);
  if (file.status !== 'held') return outcomeOf(file);
  const { size_bytes, sha256 } = file;
  return { id, size_bytes, sha256, location: await readFileLocation(id) };
}

/**
 * Applies the scanner's result: a clean file can be read from now on; an infected file is removed, and its owner is
 * notified. Repeating it changes nothing.
 * @throws RowMissing; Error if a concurrent call has already recorded a result for an infected file: a retry then
 * returns that outcome
 */
export async function settleScan(id: string, result: ScanResult): Promise<ScanOutcome> {
  const file = await readScannedFile(id);
  if (file.status !== 'held') return outcomeOf(file);
  // An infected file is also removed from the row that refers to it. That row is locked before the file's row, in the
  // same order as when the row itself is removed.
  if (!result.clean) await organizationsUpstream().refuseFile(id);
  const scan = result.clean ? 'clean' : 'infected';
  const settled = await firstRow(
    `UPDATE stored_files SET scan = $3, status = CASE $3 WHEN 'clean' THEN 'kept' ELSE 'removing' END,
            name = CASE $3 WHEN 'clean' THEN name END
      WHERE organization_id = $1 AND id = $2 AND status = 'held' RETURNING id`,
    [currentOrganization(), id, scan],
  );
  // A concurrent call recorded the result first. If this call found the file clean, the recorded outcome is returned.
  // If it found the file infected, the error below rolls back the changes of `refuseFile`.
  if (!settled && result.clean) return outcomeOf(await readScannedFile(id));
  if (!settled) throw new Error('The file is not held any more.');
  const { purpose, sha256 } = file;
  await audit({
    action: result.clean ? 'stored_file.cleared' : 'stored_file.refused',
    subjectType: 'stored_file',
    subjectId: id,
    after: { purpose, sha256, ...(result.clean ? {} : { signature: result.signature }) },
  });
  return scan;
}
