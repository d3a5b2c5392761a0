/** Limits the size and the time of what a store sends: a store that an organization chose could send slowly forever. */
import { type Readable, Transform } from 'node:stream';

/**
 * Maximum size of a response that is not a stored object, for example an error. The SDK holds such responses in memory.
 */
const MAX_RESPONSE_BYTES = 1024 * 1024;
/** The length of an interval. In each interval a store must send at least MIN_BYTES_PER_INTERVAL bytes of an object. */
const INTERVAL_MS = 10_000;
const MIN_BYTES_PER_INTERVAL = 640 * 1024;
const MAX_SLOW_INTERVALS = 3;

/**
 * Limits the size and the time of a response that is not a stored object.
 * @param ms the time limit of the whole response
 */
export function shortWords(bytes: Readable, ms: number): Readable {
  let size = 0;
  const limited = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      next(size > MAX_RESPONSE_BYTES ? new Error('The response of the store is too large.') : null, chunk);
    },
  });
  const timer = setTimeout(() => limited.destroy(new Error('The response of the store is too slow.')), ms).unref();
  limited.once('close', () => clearTimeout(timer));
  return pipeBounded(bytes, limited);
}

/**
 * Passes on the bytes of an object, and fails if the store sends them too slowly. Time spent waiting for a slow reader
 * is not counted.
 */
export function withMinimumRate(bytes: Readable): Readable {
  let size = 0;
  let slow = 0;
  const paced = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      next(null, chunk);
    },
  });
  const timer = setInterval(() => {
    const isReaderWaiting = bytes.readableLength + paced.writableLength + paced.readableLength === 0;
    slow = isReaderWaiting && size < MIN_BYTES_PER_INTERVAL ? slow + 1 : 0;
    size = 0;
    if (slow === MAX_SLOW_INTERVALS) paced.destroy(new Error('The store sends the object too slowly.'));
  }, INTERVAL_MS).unref();
  paced.once('close', () => clearInterval(timer));
  return pipeBounded(bytes, paced);
}

function pipeBounded(bytes: Readable, bounded: Transform): Readable {
  bytes.once('error', (error) => bounded.destroy(error));
  // The reader may have disconnected, so the error needs a listener.
  bounded.on('error', () => undefined);
  bounded.once('close', () => bytes.destroy());
  return bytes.pipe(bounded);
}
