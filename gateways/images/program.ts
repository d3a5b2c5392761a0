/**
 * The program that re-encodes one picture: `program.js <side> <maximum pixels> <longest side>`, the picture on stdin, a
 * JPEG on stdout.
 */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

/** Exit codes, which tell the parent process why the picture was refused. */
const UNREADABLE = 1;
const TOO_LARGE = 2;

// Turn off the cache, because the process handles only one picture, and allow one thread, because a second one needs
// more memory.
sharp.cache(false);
sharp.concurrency(1);
// Allow only the three formats that uploads may have. The library could decode more.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp'] });

async function main([side, pixels, longest]: number[]): Promise<void> {
  const bytes = await buffer(process.stdin);
  // This reads only the header of the picture.
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
