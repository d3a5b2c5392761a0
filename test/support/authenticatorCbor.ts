/** The part of CBOR (RFC 8949) that an authenticator writes: integers, bytes, text, arrays and maps. */

function head(major: number, value: number): Buffer<ArrayBuffer> {
  if (value < 24) return Buffer.from([(major << 5) | value]);
  if (value < 0x100) return Buffer.from([(major << 5) | 24, value]);
  const long = Buffer.alloc(3);
  long[0] = (major << 5) | 25;
  long.writeUInt16BE(value, 1);
  return long;
}

/** @param value integers and lengths up to 65535 */
export function encodeCbor(value: unknown): Buffer<ArrayBuffer> {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)]);
  const entries = value instanceof Map ? [...(value as Map<unknown, unknown>)] : Object.entries(value as object);
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(encodeCbor)]);
}
