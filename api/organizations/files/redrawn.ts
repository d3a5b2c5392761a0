/** Pictures. Imported where one comes in: what draws them is large. */
import { type Readable, Transform } from 'node:stream';
import sharp from 'sharp';
import { invalid } from '../../../models/errors.js';
import { type Inspected, inspected } from './inspected.js';

const WIDEST = 1024;
/** More than any camera of a telephone has, and few enough that a picture that claims more is not unpacked. */
const MOST_PIXELS = 120_000_000;

/** A picture, drawn anew as JPEG, upright, and no larger than it is looked at: of what its maker wrote beside it nothing stays. */
export function redrawn(bytes: Readable, mediaTypes: readonly string[]): Inspected {
  const { checked } = inspected(bytes, mediaTypes);
  const picture = sharp({ limitInputPixels: MOST_PIXELS, failOn: 'error' })
    .rotate()
    .resize({ width: WIDEST, height: WIDEST, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: 85 });
  const refused = new Transform({ transform: (chunk, _encoding, next) => next(null, chunk) });
  checked.once('error', (error) => refused.destroy(error));
  picture.once('error', () => refused.destroy(invalid('file', 'This picture cannot be read.')));
  checked.pipe(picture).pipe(refused);
  return inspected(refused, ['image/jpeg']);
}
