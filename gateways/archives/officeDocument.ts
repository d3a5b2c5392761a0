/**
 * Checks a document of an office suite (Office Open XML, ECMA-376), which is a ZIP archive. Only its list of content types
 * is decompressed, up to a limit.
 */
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise } from 'yauzl';
import { readArchiveEntries } from './archiveEntries.js';

/** A presentation has several parts for each slide and picture. */
const MAX_ENTRIES = 10_000;
/** Maximum size of all parts, as the archive states it. A program that opens the document decompresses them. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const MAX_CONTENT_TYPES_BYTES = 1024 * 1024;

/** `other`: damaged, or a document of another type. */
export type OfficeProblem = 'macros' | 'too_large' | 'other';

/** Names that show macros: of Visual Basic, of workbooks before it, and of document types that may have them. */
const MACROS = /vbaproject|macrosheet|macroenabled/i;

/**
 * Returns what is wrong with a document, or null.
 * @param mediaType media type of the document, which decides the type of its main part
 */
export async function findOfficeProblem(document: Buffer, mediaType: string): Promise<OfficeProblem | null> {
  try {
    const zip = await fromBufferPromise(document, { strictFileNames: true });
    const entries = await readArchiveEntries(zip, MAX_ENTRIES);
    const contentTypes = entries.get('[content_types].xml');
    if (!contentTypes || contentTypes.uncompressedSize > MAX_CONTENT_TYPES_BYTES) return 'other';
    if (sizeOf(entries.values()) > MAX_UNPACKED_BYTES) return 'too_large';
    const types = (await buffer(await zip.openReadStreamPromise(contentTypes))).toString();
    if (MACROS.test(types) || [...entries.keys()].some((name) => MACROS.test(name))) return 'macros';
    return types.includes(`${mediaType}.main+xml`) ? null : 'other';
  } catch {
    // The library throws for everything that is wrong with an archive.
    return 'other';
  }
}

function sizeOf(entries: Iterable<Entry>): number {
  let size = 0;
  for (const { uncompressedSize } of entries) size += uncompressedSize;
  return size;
}
