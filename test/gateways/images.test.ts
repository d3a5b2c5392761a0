/** Uploaded pictures: which are refused by their header, and which are decoded. */
import sharp from 'sharp';
import { type ImageRefused, reencode, requireImageSize } from '../../gateways/images/reencode.js';
import { statedSize } from '../../gateways/images/statedSize.js';

/** A PNG whose header states this size, without content. */
function pngHeader(width: number, height: number): Buffer {
  const header = Buffer.alloc(33);
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').copy(header);
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.set([8, 2], 24);
  return Buffer.concat([header, Buffer.alloc(512)]);
}

/** A progressive JPEG whose header states this size, without content. */
function jpegHeader(width: number, height: number): Buffer {
  const start = Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex');
  const frame = Buffer.from('ffc2001108000000000301220002110103110100', 'hex');
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([start, frame, Buffer.alloc(512)]);
}

const refusal = (picture: Buffer) =>
  reencode(picture, 1024).then(
    () => 'taken',
    (error: unknown) => (error as ImageRefused).reason,
  );

test.each([
  ['a JPEG of 119 megapixels', () => jpegHeader(10_920, 10_920)],
  ['a PNG of 2 gigapixels', () => pngHeader(46_341, 46_341)],
  ['a PNG of one line that is too long', () => pngHeader(20_000, 1)],
])('%s is refused by its header as too large', async (_name, picture) => {
  expect(await refusal(picture())).toBe('too_large');
});

test.each([
  ['an empty picture', () => pngHeader(0, 0)],
  ['a header without a picture', () => jpegHeader(100, 100)],
  ['bytes that are no picture', () => Buffer.from('\x89PNG\r\n\x1a\n and nothing more')],
])('%s is refused as unreadable', async (_name, picture) => {
  expect(await refusal(picture())).toBe('unreadable');
});

test('bytes without a marker are refused without a search of all bytes', () => {
  const junk = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(5_000_000, 0x20)]);
  const before = process.cpuUsage();
  requireImageSize(junk);
  // Microseconds of processor time; a search of all bytes took seconds.
  expect(process.cpuUsage(before).user).toBeLessThan(200_000);
});

test('a JPEG with fill bytes before a marker is read', async () => {
  const plain = await sharp({ create: { width: 60, height: 30, channels: 3, background: 'teal' } })
    .jpeg()
    .toBuffer();
  const segment = 4 + plain.readUInt16BE(4);
  const filled = Buffer.concat([plain.subarray(0, segment), Buffer.alloc(3, 0xff), plain.subarray(segment)]);
  expect(statedSize(filled)).toEqual({ width: 60, height: 30 });
  expect((await sharp(await reencode(filled, 1024)).metadata()).width).toBe(60);
});

test('a picture that contains more than its header states is refused by the decoder', async () => {
  const real = await sharp({ create: { width: 300, height: 300, channels: 3, background: 'teal' } })
    .webp({ lossless: true })
    .toBuffer();
  // An extended WebP header states its own canvas: 1 × 1 pixel here.
  const canvas = Buffer.from('565038580a00000000000000000000000000', 'hex');
  const lying = Buffer.concat([real.subarray(0, 12), canvas, real.subarray(12)]);
  lying.writeUInt32LE(lying.length - 8, 4);
  expect(await refusal(lying)).toBe('unreadable');
});

test('a picture is re-encoded upright, small, as JPEG and without metadata', async () => {
  const picture = await sharp({ create: { width: 1500, height: 600, channels: 3, background: 'teal' } })
    .withExif({ IFD0: { Model: 'Telltale 5000' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { format, width, height, exif } = await sharp(await reencode(picture, 1024)).metadata();
  expect({ format, width, height, exif }).toEqual({ format: 'jpeg', width: 410, height: 1024, exif: undefined });
});
