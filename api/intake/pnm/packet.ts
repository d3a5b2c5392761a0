/** All about a prospective member in one archive, as it is made: one file at a time passes through. */
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { inStore } from '../../../gateways/storage/inStore.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { keyOf, type LocatedFile } from '../../../models/organizations/files/storedFiles.js';
import { orUnavailable } from '../../organizations/files/takeFile.js';

export interface Packed {
  /** Its name in the archive is made of this, and of no other than letters of ours. */
  kind: string;
  file: LocatedFile;
}

/** @throws Refusal storage_unavailable before anything is sent, where a file is not to be had */
export async function requireFiles(organizationId: string, files: readonly Packed[]): Promise<void> {
  for (const { file } of files) {
    const asked = inStore(file.place.store, (store) => store.has(keyOf(organizationId, file.id, file.place)));
    if (!(await orUnavailable(asked, file.id))) throw fileErrors.storage_unavailable();
  }
}

/** What goes wrong amid it breaks it visibly; whoever stops reading it closes what is open. */
export function packet(
  organizationId: string,
  documents: readonly { name: string; bytes: Buffer }[],
  files: readonly Packed[],
): Readable {
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable;
  const fail = (error: Error): unknown => archive.destroy(error);
  zip.on('error', fail);
  for (const { name, bytes } of documents) zip.addBuffer(bytes, name);
  // What the store gives of it may end early and look whole: of another size than was kept it is none.
  for (const { kind, file } of files)
    zip.addReadStreamLazy(`${kind}${safeEnding(file.name)}`, { compress: false, size: file.size_bytes }, (begin) => {
      copy(organizationId, file, archive, (bytes) => begin(null, bytes)).catch(fail);
    });
  zip.end();
  return archive;
}

/** The store is open until the last byte has passed. */
const copy = (
  organizationId: string,
  { id, place }: LocatedFile,
  archive: Readable,
  begin: (bytes: Readable) => void,
): Promise<void> =>
  inStore(place.store, async (store) => {
    const bytes = await store.get(keyOf(organizationId, id, place));
    const stop = (): unknown => bytes.destroy();
    if (archive.destroyed) {
      stop();
      return;
    }
    archive.once('close', stop);
    const done = finished(bytes);
    begin(bytes);
    await done.finally(() => archive.off('close', stop));
  });

const safeEnding = (name: string): string => /^\.[a-z0-9]{1,5}$/.exec(extname(name).toLowerCase())?.[0] ?? '';
