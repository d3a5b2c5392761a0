/** What a store sends, within bounds: one that an organization chose may send slowly for ever, and whatever waits for it would, too. */
import { type Readable, Transform } from 'node:stream';

/** What a store says, unless it is an object; the SDK reads all of it at once. */
const LONGEST_WORDS = 1024 * 1024;
/** What an object has to come with at least: so much in each of these. */
const TICK_MS = 10_000;
const BYTES_A_TICK = 640 * 1024;
const SLOW_TICKS = 3;

/** An answer that is no object: one without end would take all memory, or all time. @param ms for all of it */
export function shortWords(bytes: Readable, ms: number): Readable {
  let size = 0;
  const words = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      next(size > LONGEST_WORDS ? new Error('The store says too much.') : null, chunk);
    },
  });
  const timer = setTimeout(() => words.destroy(new Error('The store says it too slowly.')), ms).unref();
  words.once('close', () => clearTimeout(timer));
  return through(bytes, words);
}

/** An object's bytes, which end where they come too slowly for whoever reads them; a slow reader has all the time. */
export function atPace(bytes: Readable): Readable {
  let size = 0;
  let slow = 0;
  const paced = new Transform({
    transform(chunk: Buffer, _encoding, next) {
      size += chunk.length;
      next(null, chunk);
    },
  });
  const timer = setInterval(() => {
    const isWaitedFor = bytes.readableLength + paced.writableLength + paced.readableLength === 0;
    slow = isWaitedFor && size < BYTES_A_TICK ? slow + 1 : 0;
    size = 0;
    if (slow === SLOW_TICKS) paced.destroy(new Error('The store gives it too slowly.'));
  }, TICK_MS).unref();
  paced.once('close', () => clearInterval(timer));
  return through(bytes, paced);
}

function through(bytes: Readable, bounded: Transform): Readable {
  bytes.once('error', (error) => bounded.destroy(error));
  // Nobody may be reading it any more.
  bounded.on('error', () => undefined);
  bounded.once('close', () => bytes.destroy());
  return bytes.pipe(bounded);
}
