/**
 * Reads the size in pixels that a picture's header states. Nothing is decoded; segments before the size are skipped.
 */

export interface Size {
  width: number;
  height: number;
}

/**
 * Returns the size that the header states. Null if the size is not at the expected position; the decoder then decides
 * whether the picture is accepted.
 */
export function statedSize(picture: Buffer): Size | null {
  if (picture.length < 32) return null;
  if (picture.readUInt32BE(0) === 0x89504e47)
    return { width: picture.readUInt32BE(16), height: picture.readUInt32BE(20) };
  if (picture.toString('latin1', 8, 12) === 'WEBP') return sizeOfWebp(picture);
  return picture.readUInt16BE(0) === 0xffd8 ? sizeOfJpeg(picture) : null;
}

/**
 * Reads the size of a WebP picture. A VP8X chunk states the size of the canvas; VP8L and VP8 chunks state the size of
 * the only picture (RFC 9649, 2.5 to 2.7).
 */
function sizeOfWebp(picture: Buffer): Size | null {
  const chunk = picture.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return { width: picture.readUIntLE(24, 3) + 1, height: picture.readUIntLE(27, 3) + 1 };
  if (chunk === 'VP8L') {
    const bits = picture.readUInt32LE(21);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  if (chunk === 'VP8 ') return { width: picture.readUInt16LE(26) & 0x3fff, height: picture.readUInt16LE(28) & 0x3fff };
  return null;
}

/**
 * Reads the size of a JPEG picture from its first frame header (ITU-T T.81, B.2.2). Fill bytes may precede each marker.
 */
function sizeOfJpeg(picture: Buffer): Size | null {
  for (let at = 2; at + 9 < picture.length; ) {
    if (picture[at] !== 0xff) return null;
    const marker = picture[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { width: picture.readUInt16BE(at + 7), height: picture.readUInt16BE(at + 5) };
    at += 2 + picture.readUInt16BE(at + 2);
  }
  return null;
}
