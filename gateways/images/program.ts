/**
 * The program that re-encodes one picture: `program.js <side> <maximum pixels> <longest side>`, the picture on stdin, a
 * JPEG on stdout.
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** Exit codes, which tell the parent process why the picture was refused. */
const UNREADABLE = 1;
const TOO_LARGE = 2;

// The process handles one picture, so a cache is useless; a second thread would need additional memory.
sharp.cache(false);
sharp.concurrency(1);
// The library can decode more formats; uploads may have only these three.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

async function main([side, pixels, longest]: number[]): Promise<void> {
  const bytes = await buffer(process.stdin);
  // Reads only the header.
  const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
  if (width * height > (pixels as number) || Math.max(width, height) > (longest as number)) {
    process.exitCode = TOO_LARGE;
    return;
  }
  const picture = await sharp(bytes, { limitInputPixels: pixels as number, failOn: 'error' })
    .rotate()
    .resize({ width: side as number, height: side as number, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 85 })
    .toBuffer();
  process.stdout.end(picture);
}

main(process.argv.slice(2).map(Number)).catch(() => {
  process.exitCode = UNREADABLE;
});
