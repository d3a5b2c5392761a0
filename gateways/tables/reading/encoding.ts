/** Detects the encoding of a text: by its byte order mark, or else by its bytes. */
import { createReadStream } from 'node:fs';
import { headOf } from './kind.js';

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

export async function encodingOf(file: string): Promise<Encoding> {
  const head = await headOf(file, 1024);
  const [first, second] = head;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return utf16WithoutMark(head) ?? ((await isUtf8(file)) ? 'utf-8' : 'windows-1252');
}

/** Detects UTF-16 without a mark: in Latin letters every second byte is zero, which no other text encoding has. */
function utf16WithoutMark(head: Buffer): Encoding | null {
  const zeros = [0, 0];
  for (const [n, byte] of head.entries()) if (byte === 0) zeros[n % 2] = (zeros[n % 2] as number) + 1;
  const [even, odd] = zeros as [number, number];
  const threshold = head.length / 8;
  if (even === 0 && odd > threshold) return 'utf-16le';
  return odd === 0 && even > threshold ? 'utf-16be' : null;
}

async function isUtf8(file: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of createReadStream(file)) decoder.decode(chunk as Buffer, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
