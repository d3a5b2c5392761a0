/** The program that re-encodes one picture: `program.js <side> <most pixels>`, the picture on stdin, a JPEG on stdout. */
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';

// One picture, one process: nothing is kept, and a second thread would need memory of its own.
sharp.cache(false);
sharp.concurrency(1);

async function main([side, pixels]: string[]): Promise<void> {
  const limit = Number(side);
  const picture = await sharp(await buffer(process.stdin), { limitInputPixels: Number(pixels), failOn: 'error' })
    .rotate()
    .resize({ width: limit, height: limit, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 85 })
    .toBuffer();
  process.stdout.end(picture);
}

main(process.argv.slice(2)).catch(() => {
  process.exitCode = 1;
});
