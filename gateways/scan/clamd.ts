/** clamd, by the protocol that its manual tells: a command, the bytes in chunks with their lengths before them, and one line. */
import net from 'node:net';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type ScanPort, ScannerUnavailable, type Verdict } from './port.js';

export interface ClamdSettings {
  host: string;
  port: number;
  /** For all of it. */
  timeoutMs: number;
  /** More than it takes is not sent. */
  mostBytes: number;
}

const COMMAND = 'zINSTREAM\0';
const LONGEST_ANSWER = 1024;

export const clamd = (settings: ClamdSettings): ScanPort => ({
  async scan(bytes) {
    const socket = net.connect({ host: settings.host, port: settings.port });
    const timer = setTimeout(() => socket.destroy(new Error('The scanner took too long.')), settings.timeoutMs);
    const answer = readAnswer(socket);
    // It may speak, or go, before the last byte: what it said is what counts.
    answer.catch(() => undefined);
    let broken: unknown = null;
    bytes.once('error', (error) => (broken = error));
    try {
      await send(socket, bytes, settings.mostBytes).catch((error: unknown) => {
        if (broken ?? error instanceof ScannerUnavailable) throw error;
      });
      return verdictOf(await answer);
    } catch (cause) {
      if (broken) throw broken;
      if (cause instanceof ScannerUnavailable) throw cause;
      throw new ScannerUnavailable('The scanner does not answer.', { cause });
    } finally {
      clearTimeout(timer);
      socket.destroy();
    }
  },
});

async function send(socket: net.Socket, bytes: Readable, mostBytes: number): Promise<void> {
  let size = 0;
  await write(socket, Buffer.from(COMMAND));
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new ScannerUnavailable('The file is larger than what the scanner is given.');
    // A length of nothing would end it.
    if (chunk.length > 0) await write(socket, Buffer.concat([lengthOf(chunk.length), chunk]));
  }
  await write(socket, lengthOf(0));
}

async function write(socket: net.Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed) throw new Error('The scanner has closed the connection.');
  if (!socket.write(bytes)) await once(socket, 'drain', { signal: gone(socket) });
}

/** Whoever waits for a connection that closes waits no more. */
function gone(socket: net.Socket): AbortSignal {
  const controller = new AbortController();
  socket.once('close', () => controller.abort());
  return controller.signal;
}

function lengthOf(size: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(size);
  return length;
}

/** Up to the zero that ends it, or the end of the connection. */
function readAnswer(socket: net.Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      said = Buffer.concat([said, chunk]);
      const end = said.indexOf(0);
      if (end >= 0) resolve(said.toString('utf8', 0, end));
      else if (said.length > LONGEST_ANSWER) socket.destroy(new Error('The scanner says too much.'));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The scanner has closed the connection.')));
  });
}

/** @throws ScannerUnavailable for whatever is neither of its two words */
function verdictOf(answer: string): Verdict {
  if (answer === 'stream: OK') return { clean: true };
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
  if (found === undefined)
    throw new ScannerUnavailable(`The scanner has not said what the file is (${shown(answer)}).`);
  return { clean: false, signature: shown(found) };
}

const shown = (text: string): string => text.replaceAll(/[^\w .:()/-]/g, '?').slice(0, 100);
