import type { Entry, ZipFile } from 'yauzl';

const LOCAL_HEADER_BYTES = 30;

/**
 * Returns the entries of a ZIP archive by their names in lower case. Refuses an archive in which two names differ only in
 * case, or in which entries overlap: with overlapping entries, a small archive can decompress to terabytes (ZIP bomb).
 * @throws Error for such an archive, and for one with encrypted entries or more than `maxEntries`
 */
export async function readArchiveEntries(zip: ZipFile, maxEntries: number): Promise<Map<string, Entry>> {
  if (zip.entryCount > maxEntries) throw new Error('The archive has too many entries.');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entry.isEncrypted() || !entry.canDecodeFileData() || entries.has(name))
      throw new Error('The archive has an entry that cannot be read.');
    entries.set(name, entry);
  }
  const inOrder = [...entries.values()].sort((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: begin, compressedSize, fileNameLength } of inOrder) {
    if (begin < end) throw new Error('The archive has entries that overlap.');
    end = begin + LOCAL_HEADER_BYTES + fileNameLength + compressedSize;
  }
  return entries;
}
