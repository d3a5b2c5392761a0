/**
 * Re-encodes an uploaded picture in a separate process. A picture that exhausts memory or crashes the decoder affects
 * nothing else, and the memory is freed when the process ends.
 */
import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { startIsolated } from '../isolatedProgram.js';
import { type Size, statedSize } from './statedSize.js';

/**
 * Maximum size of a picture. Pictures of telephones have at most 50 megapixels; 8160 × 6144 is the largest common size.
 */
export const MAX_MEGAPIXELS = 51;
/** Maximum length of a picture's longer side, in pixels. */
export const MAX_SIDE = 16_384;
const TIMEOUT_MS = 20_000;
/** Maximum size of the program's output. A re-encoded picture normally has some hundred kilobytes. */
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;

/** Why a picture was refused. undecodable: the decoder ran out of memory or of time. */
type Reason = 'too_large' | 'unreadable' | 'undecodable';

/** Reasons by the program's exit code. */
const REASONS: Readonly<Record<number, Reason>> = { 1: 'unreadable', 2: 'too_large' };

/** A refused picture. */
export class ImageRefused extends Error {
  override readonly name = 'ImageRefused';

  constructor(readonly reason: Reason) {
    super(`The picture is ${reason}.`);
  }
}

const isTooLarge = ({ width, height }: Size): boolean =>
  width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_MEGAPIXELS * 1e6;

/**
 * Refuses a picture whose header states too many pixels, before anything is decoded. The decoder enforces the limit again: a header
 * may state less than the picture has, or nothing.
 * @throws ImageRefused
 */
export function requireImageSize(picture: Buffer): void {
  const size = statedSize(picture);
  if (size && isTooLarge(size)) throw new ImageRefused('too_large');
}

/**
 * Re-encodes a JPEG, PNG or WebP as an upright JPEG that fits into `side` × `side` pixels, without metadata.
 * @throws ImageRefused
 */
export async function reencode(picture: Buffer, side: number): Promise<Buffer> {
  requireImageSize(picture);
  const limits = [side, MAX_MEGAPIXELS * 1e6, MAX_SIDE].map(String);
  const child = startIsolated('images/program.js', limits, { megabytes: 64, env: { MALLOC_ARENA_MAX: '2' } });
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  try {
    return await outputOf(child, picture);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

/**
 * Sends the picture to the program and returns its output.
 * @throws ImageRefused if the program decoded nothing, or ran out of memory or time
 */
function outputOf(child: ChildProcessByStdio<Writable, Readable, null>, picture: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) child.kill('SIGKILL');
      else chunks.push(chunk);
    });
    // Ignored: writing fails if the program ends before it has read all of its input. Its exit code says why it ended.
    child.stdin.on('error', () => undefined);
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && size > 0) resolve(Buffer.concat(chunks));
      else reject(new ImageRefused(REASONS[code ?? 0] ?? 'undecodable'));
    });
    child.stdin.end(picture);
  });
}
