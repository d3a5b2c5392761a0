/** What the scanner is asked of a file that is held, and what becomes of it by its word. */
import { audit } from '../../database/audit.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { RowMissing } from '../../errors.js';
import { aboveOrganizations } from '../above.js';
import { type Place, placeOfFile } from '../storage-config/places.js';
import type { FilePurpose } from './purposes.js';
import type { FileFacts } from './storedFiles.js';

/** `removed`: it was given up before the scanner had spoken. */
export type ScanEnd = 'clean' | 'infected' | 'removed';

export interface FileToScan extends Pick<FileFacts, 'size_bytes' | 'sha256'> {
  id: string;
  place: Place;
}

/** What the scanner said. */
type Said = { clean: true } | { clean: false; signature: string };

interface Scanned extends Pick<FileFacts, 'size_bytes' | 'sha256'> {
  status: 'held' | 'kept' | 'removing';
  scan: 'waiting' | 'clean' | 'infected' | null;
  purpose: FilePurpose;
}

async function readScanned(id: string): Promise<Scanned> {
  const file = await firstRow<Scanned>(
    `SELECT status, scan, purpose, size_bytes::float8 AS size_bytes, sha256 FROM stored_files
      WHERE organization_id = $1 AND id = $2`,
    [currentOrganization(), id],
  );
  if (!file) throw new RowMissing('There is no such file.');
  return file;
}

const endOf = ({ scan }: Scanned): ScanEnd => (scan === 'clean' || scan === 'infected' ? scan : 'removed');

/** Where it lies and what it has to be; how it ended where it is not held any more. @throws RowMissing */
export async function fileToScan(id: string): Promise<FileToScan | ScanEnd> {
  const file = await readScanned(id);
  if (file.status !== 'held') return endOf(file);
  const { size_bytes, sha256 } = file;
  return { id, size_bytes, sha256, place: await placeOfFile(id) };
}

/**
 * Lets a file be read, or has it removed and tells whoever gave it. Again changes nothing. @throws RowMissing, and Error where
 * somebody else was faster with an infected one: asked again, it says how that ended
 */
export async function settleScan(id: string, said: Said): Promise<ScanEnd> {
  const file = await readScanned(id);
  if (file.status !== 'held') return endOf(file);
  // What it goes with is locked before it, as by whoever takes that away.
  if (!said.clean) await aboveOrganizations().refuseFile(id);
  const scan = said.clean ? 'clean' : 'infected';
  const settled = await firstRow(
    `UPDATE stored_files SET scan = $3, status = CASE $3 WHEN 'clean' THEN 'kept' ELSE 'removing' END,
            name = CASE $3 WHEN 'clean' THEN name END
      WHERE organization_id = $1 AND id = $2 AND status = 'held' RETURNING id`,
    [currentOrganization(), id, scan],
  );
  // Somebody else was faster. What an infected one takes away is theirs to take then.
  if (!settled && said.clean) return endOf(await readScanned(id));
  if (!settled) throw new Error('The file is not held any more.');
  const { purpose, sha256 } = file;
  await audit({
    action: said.clean ? 'stored_file.cleared' : 'stored_file.refused',
    subjectType: 'stored_file',
    subjectId: id,
    after: { purpose, sha256, ...(said.clean ? {} : { signature: said.signature }) },
  });
  return scan;
}
