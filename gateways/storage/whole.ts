/** Bytes of a store, as they were put there: what comes back is not believed. */
import { createHash } from 'node:crypto';
import { type Readable, Transform } from 'node:stream';
import { OtherBytes, StorageUnavailable } from './port.js';

export interface Expected {
  size_bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

/** Passes on what comes, and fails with StorageUnavailable where it is more, less or other than expected. */
export function whole(bytes: Readable, { size_bytes, sha256 }: Expected): Readable {
  const digest = createHash('sha256');
  let size = 0;
  const other = () => new OtherBytes('The store gave other bytes than it was given.');
  const checked = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      digest.update(chunk);
      if (size > size_bytes) next(other());
      else next(null, chunk);
    },
    flush: (done) => done(size === size_bytes && digest.digest('hex') === sha256 ? null : other()),
  });
  bytes.once('error', (cause) =>
    checked.destroy(new StorageUnavailable('The store stopped in the middle.', { cause })),
  );
  checked.once('close', () => bytes.destroy());
  return bytes.pipe(checked);
}
