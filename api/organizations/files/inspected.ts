/** What comes in, counted, digested and known by its content while it passes; ended where it is nothing that we take. */
import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { invalid } from '../../../models/errors.js';
import { DOCUMENT, HEAD_BYTES, mediaTypeOf, SPREADSHEET } from '../../../models/organizations/files/purposes.js';

export interface Inspected {
  checked: Readable;
  /** Once all of it has passed. */
  facts: () => { media_type: string; size_bytes: number; sha256: string };
}

/** Where an archive lists what is in it; that of a document is far shorter. */
const TAIL_BYTES = 64 * 1024;

/** @param mediaTypes that are taken */
export function inspected(bytes: Readable, mediaTypes: readonly string[]): Inspected {
  const digest = createHash('sha256');
  const documents = mediaTypes.includes(DOCUMENT);
  let size = 0;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  let mediaType: string | null = null;
  const refusal = () => invalid('file', `Its content is none of ${mediaTypes.join(', ')}.`);
  const fits = (): boolean => {
    mediaType ??= mediaTypeOf(head);
    return mediaType !== null && (mediaTypes.includes(mediaType) || (documents && mediaType === SPREADSHEET));
  };
  /** Documents and workbooks are archives, and begin alike. */
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
