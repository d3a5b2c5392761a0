/** Pictures that people upload, re-encoded before they are stored. */
import { Readable } from 'node:stream';
import {
  ImageRefused,
  MAX_MEGAPIXELS,
  MAX_SIDE,
  reencode,
  requireImageSize,
} from '../../../gateways/images/reencode.js';
import { FairSemaphore } from '../../../models/database/fairSemaphore.js';
import { invalid, type Refusal } from '../../../models/errors.js';
import { type InspectedStream, inspectStream } from './inspectStream.js';

/**
 * Two pictures are decoded at a time in this process, shared fairly among organizations. A decoder may need 200 MB of
 * memory. Other uploads wait for 5 s, then they are refused with 503 `busy`.
 */
const decoders = new FairSemaphore({ slots: 2, maxPerTenant: 2, reserve: 0, maxQueued: 8, waitMs: 5_000 });

/**
 * Re-encodes a picture as upright JPEG, no larger than it is shown. Metadata such as location and camera is dropped.
 * @param organizationId organization by which waiting uploads are scheduled fairly
 * @param maxSide longest side of the result, in pixels
 */
export function reencodeImage(
  bytes: Readable,
  mediaTypes: readonly string[],
  organizationId: string,
  maxSide: number,
): InspectedStream {
  const { checked } = inspectStream(bytes, mediaTypes);
  return inspectStream(Readable.from(reencodedBytes(checked, organizationId, maxSide)), ['image/jpeg']);
}

async function* reencodedBytes(source: Readable, organizationId: string, maxSide: number): AsyncGenerator<Buffer> {
  const picture = Buffer.concat((await source.toArray()) as Buffer[]);
  try {
    // Refuse a picture that is too large before it waits for a decoder.
    requireImageSize(picture);
    const release = await decoders.acquire(organizationId);
    // Released before the picture is stored: a slow store must not keep a decoder.
    const encoded = await reencode(picture, maxSide).finally(release);
    yield encoded;
  } catch (error) {
    throw error instanceof ImageRefused ? refusalOf(error) : error;
  }
}

const MESSAGES: Readonly<Record<ImageRefused['reason'], string>> = {
  too_large: `This picture is too large: at most ${MAX_MEGAPIXELS - 1} megapixels, and ${MAX_SIDE} pixels on a side.`,
  unreadable: 'This picture cannot be read. Save it as an ordinary JPEG or PNG and try again.',
  undecodable: 'This picture takes too long to decode. Try again, or save it as an ordinary JPEG of a smaller size.',
};

const refusalOf = ({ reason }: ImageRefused): Refusal => invalid('file', MESSAGES[reason]);
