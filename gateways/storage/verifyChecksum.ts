/** Verifies the size and the checksum of bytes that a store returns. */
import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { ChecksumMismatch, StorageUnavailable } from './port.js';

export interface Expected {
  size_bytes: number;
  /** The digest in hexadecimal. */
  sha256: string;
}

/** Passes the bytes on, and fails with StorageUnavailable if they differ from the expected size or checksum. */
export function verifyChecksum(bytes: Readable, { size_bytes, sha256 }: Expected): Readable {
  const digest = createHash('sha256');
  let size = 0;
  const mismatch = () => new ChecksumMismatch('The store returned other bytes than were stored.');
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      digest.update(chunk);
      if (size > size_bytes) next(mismatch());
      else next(null, chunk);
    },
    flush: (done) => done(size === size_bytes && digest.digest('hex') === sha256 ? null : mismatch()),
  });
  bytes.once('error', (cause) =>
    checked.destroy(new StorageUnavailable('The store ended the response early.', { cause })),
  );
  checked.once('close', () => bytes.destroy());
  return bytes.pipe(checked);
}
