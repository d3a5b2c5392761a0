/**
 * Inspects an upload while it streams: counts and hashes its bytes, determines its media type from its content, and
 * ends it if the type is not accepted.
 */
import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { invalid } from '../../../models/errors.js';
import { DOCUMENT, HEAD_BYTES, mediaTypeOf, SPREADSHEET } from '../../../models/organizations/files/purposes.js';

export interface InspectedStream {
  checked: Readable;
  /** Facts of the file; available after the whole stream has passed. */
  facts: () => { media_type: string; size_bytes: number; sha256: string };
}

/**
 * Number of bytes that are kept from the end of an archive (ZIP). The archive's directory is at its end; the directory
 * of a document is far shorter than this.
 */
const TAIL_BYTES = 64 * 1024;

/**
 * Returns a stream that passes the bytes on and inspects them.
 * @param mediaTypes accepted media types
 */
export function inspectStream(bytes: Readable, mediaTypes: readonly string[]): InspectedStream {
  const digest = createHash('sha256');
  const documents = mediaTypes.includes(DOCUMENT);
  let size = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let mediaType: string | null = null;
  const refusal = () => invalid('file', `The file must be one of: ${mediaTypes.join(', ')}.`);
  const fits = (): boolean => {
    mediaType ??= mediaTypeOf(head);
    return mediaType !== null && (mediaTypes.includes(mediaType) || (documents && mediaType === SPREADSHEET));
  };
  /**
   * Returns the problem of the complete file, if any. Word documents and workbooks are both archives and begin with the
   * same bytes, so the end of the file shows which of them it is.
   */
  const problem = () => {
    if (size === 0) return invalid('file', 'The file is empty.');
    if (!fits()) return refusal();
    if (!documents || mediaType !== SPREADSHEET) return null;
    if (!tail.includes('word/document.xml')) return refusal();
    mediaType = DOCUMENT;
    return null;
  };
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      digest.update(chunk);
      size += chunk.length;
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
      if (documents) tail = Buffer.concat([tail, chunk]).subarray(-TAIL_BYTES);
      next(head.length < HEAD_BYTES || fits() ? null : refusal(), chunk);
    },
    flush: (done) => done(problem()),
  });
  bytes.once('error', (error) => checked.destroy(error));
  bytes.pipe(checked);
  const facts = () => ({ media_type: mediaType ?? '', size_bytes: size, sha256: digest.digest('hex') });
  return { checked, facts };
}
