/** Streams all documents about a prospective member as one archive, one file at a time. */
import { extname } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { withStore } from '../../../gateways/storage/withStore.js';
import { fileErrors } from '../../../models/organizations/files/errors.js';
import { objectKey, type LocatedFile } from '../../../models/organizations/files/storedFiles.js';
import { refuseIfUnavailable } from '../../organizations/files/storeUpload.js';

export interface PacketFile {
  /** Name of the file in the archive, without its extension; it contains only our own letters. */
  kind: string;
  file: LocatedFile;
}

/** Checks that storage has all files, before anything is sent. @throws Refusal storage_unavailable */
export async function requireFiles(organizationId: string, files: readonly PacketFile[]): Promise<void> {
  for (const { file } of files) {
    const isStored = withStore(file.location.store, (store) =>
      store.has(objectKey(organizationId, file.id, file.location)),
    );
    if (!(await refuseIfUnavailable(isStored, file.id))) throw fileErrors.storage_unavailable();
  }
}

/**
 * Returns the archive as a stream. An error destroys the stream, so that the client notices it. If the reader stops,
 * open files are closed.
 */
export function streamPacket(
  organizationId: string,
  documents: readonly { name: string; bytes: Buffer }[],
  files: readonly PacketFile[],
): Readable {
  const zip = new ZipFile();
  const archive = zip.outputStream as Readable;
  const fail = (error: Error): unknown => archive.destroy(error);
  zip.on('error', fail);
  for (const { name, bytes } of documents) zip.addBuffer(bytes, name);
  // Storage may end a file early without an error. Because the expected size is given, creating the archive fails in
  // this case.
  for (const { kind, file } of files)
    zip.addReadStreamLazy(`${kind}${safeEnding(file.name)}`, { compress: false, size: file.size_bytes }, (begin) => {
      copy(organizationId, file, archive, (bytes) => begin(null, bytes)).catch(fail);
    });
  zip.end();
  return archive;
}

/** Keeps the storage connection open until the last byte has passed. */
const copy = (
  organizationId: string,
  { id, location }: LocatedFile,
  archive: Readable,
  begin: (bytes: Readable) => void,
): Promise<void> =>
  withStore(location.store, async (store) => {
    const bytes = await store.get(objectKey(organizationId, id, location));
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
