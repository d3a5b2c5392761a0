/** Connections to mail servers that organizations chose. */
import net from 'node:net';
import tls from 'node:tls';
import { ForbiddenAddress, guardedLookup, isPublicAddress } from '../http/guardedFetch.js';
import { type MailStep, MailUnavailable } from './port.js';

const LONGEST_MS = 10_000;

export interface Address {
  host: string;
  port: number;
  /** Encrypted from the first byte. */
  secure: boolean;
}

/** What the SMTP client goes on with. */
interface Dialed {
  connection: net.Socket;
  /** It is encrypted already. */
  secured: boolean;
}

/**
 * Connects to a server on the public internet. Its address is checked at the moment of connecting, whatever its name led to
 * before; with `secure` it has proven the name by a certificate.
 * @throws MailUnavailable that says at which step
 */
export async function dial({ host, port, secure }: Address): Promise<Dialed> {
  const connection = await connected(host, port);
  return secure ? { connection: await secured(connection, host), secured: true } : { connection, secured: false };
}

async function connected(host: string, port: number): Promise<net.Socket> {
  // What is an address already is not looked up.
  const isLiteral = net.isIP(host) !== 0;
  if (isLiteral && !isPublicAddress(host))
    throw unavailable(new ForbiddenAddress('This is no public address.'), 'resolve');
  let found = isLiteral;
  const socket = net.connect({ host, port, lookup: guardedLookup });
  socket.on('lookup', (error: Error | null) => {
    found ||= error === null;
  });
  await ready(socket, 'connect').catch((error: Error) => {
    throw unavailable(error, found ? 'connect' : 'resolve');
  });
  return socket;
}

async function secured(socket: net.Socket, host: string): Promise<net.Socket> {
  const servername = net.isIP(host) === 0 ? { servername: host } : {};
  const encrypted = tls.connect({ socket, host, ...servername });
  await ready(encrypted, 'secureConnect').catch((error: Error) => {
    throw unavailable(error, 'tls');
  });
  return encrypted;
}

const unavailable = (error: NodeJS.ErrnoException, step: MailStep): MailUnavailable =>
  new MailUnavailable(error.code ?? 'UNKNOWN', false, step);

/** Waits until a connection is there; one that fails is closed. */
const ready = (socket: net.Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((done, fail) => {
    const late = Object.assign(new Error('There was no answer in time.'), { code: 'ETIMEDOUT' });
    const timer = setTimeout(() => socket.destroy(late), LONGEST_MS);
    const failed = (error?: Error) => {
      clearTimeout(timer);
      socket.destroy();
      fail(error ?? Object.assign(new Error('The connection was closed.'), { code: 'ECONNRESET' }));
    };
    socket.once('error', failed).once('close', failed);
    socket.once(event, () => {
      clearTimeout(timer);
      socket.off('error', failed).off('close', failed);
      // The SMTP client listens in a moment; until then nothing may be thrown.
      socket.on('error', () => undefined);
      done();
    });
  });
