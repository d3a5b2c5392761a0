/**
 * The client of clamd (protocol INSTREAM): a command, the bytes in chunks with a length prefix, and a response of one
 * line.
 */
import net from 'node:net';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type ScanPort, ScannerUnavailable, type Verdict } from './port.js';

export interface ClamdSettings {
  host: string;
  port: number;
  /** The timeout of the whole scan. */
  timeoutMs: number;
  /** Maximum size of a file that is sent to the scanner. */
  maxBytes: number;
}

const COMMAND = 'zINSTREAM\0';
const MAX_RESPONSE_BYTES = 1024;

export const clamd = (settings: ClamdSettings): ScanPort => ({
  async scan(bytes) {
    const socket = net.connect({ host: settings.host, port: settings.port });
    const timer = setTimeout(() => socket.destroy(new Error('The scanner took too long.')), settings.timeoutMs);
    const answer = readAnswer(socket);
    // clamd may respond or disconnect before the last byte is sent. An error of the response is handled when the
    // response is awaited below.
    answer.catch(() => undefined);
    let streamError: unknown = null;
    bytes.once('error', (error) => (streamError = error));
    try {
      await send(socket, bytes, settings.maxBytes).catch((error: unknown) => {
        if (streamError ?? error instanceof ScannerUnavailable) throw error;
      });
      return verdictOf(await answer);
    } catch (cause) {
      if (streamError) throw streamError;
      if (cause instanceof ScannerUnavailable) throw cause;
      throw new ScannerUnavailable('The scanner does not answer.', { cause });
    } finally {
      clearTimeout(timer);
      socket.destroy();
    }
  },
});

async function send(socket: net.Socket, bytes: Readable, maxBytes: number): Promise<void> {
  let size = 0;
  await write(socket, Buffer.from(COMMAND));
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ScannerUnavailable('The file is larger than the scan limit.');
    // A chunk of length zero would end the stream.
    if (chunk.length > 0) await write(socket, Buffer.concat([lengthOf(chunk.length), chunk]));
  }
  await write(socket, lengthOf(0));
}

async function write(socket: net.Socket, bytes: Buffer): Promise<void> {
  if (socket.destroyed) throw new Error('The scanner has closed the connection.');
  if (!socket.write(bytes)) await once(socket, 'drain', { signal: closedSignal(socket) });
}

/** Returns a signal that aborts a wait when the connection closes. */
function closedSignal(socket: net.Socket): AbortSignal {
  const controller = new AbortController();
  socket.once('close', () => controller.abort());
  return controller.signal;
}

function lengthOf(size: number): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(size);
  return length;
}

/** Reads up to the zero byte that ends the response, or to the end of the connection. */
function readAnswer(socket: net.Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf(0);
      if (end >= 0) resolve(received.toString('utf8', 0, end));
      else if (received.length > MAX_RESPONSE_BYTES)
        socket.destroy(new Error('The response of the scanner is too long.'));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('The scanner has closed the connection.')));
  });
}

/**
 * Translates the response.
 * @throws ScannerUnavailable for any other response than clean or found
 */
function verdictOf(answer: string): Verdict {
  if (answer === 'stream: OK') return { clean: true };
  const signature = /^stream: (.+) FOUND$/.exec(answer)?.[1];
  if (signature === undefined)
    throw new ScannerUnavailable(`The scanner gave an unknown response (${printable(answer)}).`);
  return { clean: false, signature: printable(signature) };
}

const printable = (text: string): string => text.replaceAll(/[^\w .:()/-]/g, '?').slice(0, 100);
