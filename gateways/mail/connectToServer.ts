/** Connects to mail servers that organizations chose. */
import net from 'node:net';
import tls from 'node:tls';
import { ForbiddenAddress, guardedLookup, isPublicAddress } from '../http/guardedFetch.js';
import { type MailStep, MailUnavailable } from './port.js';

const TIMEOUT_MS = 10_000;

export interface Address {
  host: string;
  port: number;
  /** Whether the connection uses TLS from the first byte. */
  secure: boolean;
}

/** A connection for the SMTP client. */
interface MailConnection {
  connection: net.Socket;
  /** Whether TLS is established. */
  secured: boolean;
}

/**
 * Connects to a server on the public internet. The address is checked when the connection is made, so an earlier DNS
 * look-up cannot bypass the check. With `secure`, the server's certificate is verified too.
 * @throws MailUnavailable with the step that failed
 */
export async function connectToServer({ host, port, secure }: Address): Promise<MailConnection> {
  const connection = await connectTcp(host, port);
  return secure ? { connection: await startTls(connection, host), secured: true } : { connection, secured: false };
}

async function connectTcp(host: string, port: number): Promise<net.Socket> {
  // Node does not look up an IP literal, so it is checked here.
  const isLiteral = net.isIP(host) !== 0;
  if (isLiteral && !isPublicAddress(host))
    throw unavailable(new ForbiddenAddress('This is not a public address.'), 'resolve');
  let isResolved = isLiteral;
  const socket = net.connect({ host, port, lookup: guardedLookup });
  socket.on('lookup', (error: Error | null) => {
    isResolved ||= error === null;
  });
  await ready(socket, 'connect').catch((error: Error) => {
    throw unavailable(error, isResolved ? 'connect' : 'resolve');
  });
  return socket;
}

async function startTls(socket: net.Socket, host: string): Promise<net.Socket> {
  const servername = net.isIP(host) === 0 ? { servername: host } : {};
  const encrypted = tls.connect({ socket, host, ...servername });
  await ready(encrypted, 'secureConnect').catch((error: Error) => {
    throw unavailable(error, 'tls');
  });
  return encrypted;
}

const unavailable = (error: NodeJS.ErrnoException, step: MailStep): MailUnavailable =>
  new MailUnavailable(error.code ?? 'UNKNOWN', false, step);

/** Waits until the connection is established; destroys it on failure. */
const ready = (socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((done, fail) => {
    const late = Object.assign(new Error('The server did not answer in time.'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => socket.destroy(late), TIMEOUT_MS);
    const failed = (error?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      fail(error ?? Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
    };
    socket.once('error', failed).once('close', failed);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', failed).off('close', failed);
      // Ignore errors until the SMTP client adds its own listener; an error without a listener would end the process.
      socket.on('error', () => undefined);
      done();
    });
  });
