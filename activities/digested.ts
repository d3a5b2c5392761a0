import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** The bytes of a stream, and of those that have passed how many they were and their digest. */
export function digested(table: Readable) {
  const digest = createHash('sha256');
  let size = 0;
  async function* passing() {
    for await (const chunk of table as AsyncIterable<Buffer>) {
      digest.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  const bytes = Readable.from(passing(), { objectMode: false });
  return { bytes, facts: () => ({ size_bytes: size, sha256: digest.digest('hex') }) };
}
