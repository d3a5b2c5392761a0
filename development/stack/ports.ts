/** Network ports of the local servers: is one free, which one is, is somebody listening yet. */
import { randomInt } from 'node:crypto';
import net from 'node:net';

const HOST = '127.0.0.1';

/** Below the ports that operating systems give to outgoing connections, which would take a chosen one before its server does. */
const LOWEST = 15_000;
const HIGHEST = 32_000;

/** Two that look at the same moment must not find the same one: processes look in different places, and none gives a port twice. */
const PLACE = 1_000;
const from = LOWEST + (process.pid % ((HIGHEST - LOWEST) / PLACE)) * PLACE;
const given = new Set<number>();

/** A port that nobody uses right now, and that nobody was given here lately. */
export async function freePort(): Promise<number> {
  for (;;) {
    if (given.size === PLACE) given.clear();
    const port = randomInt(from, from + PLACE);
    if (given.has(port)) continue;
    given.add(port);
    if (await isPortFree(port)) return port;
  }
}

/** @returns the first of so many in a row */
export async function freeRow(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const row = Array.from({ length: count }, (_, n) => isPortFree(first + n));
    if ((await Promise.all(row)).every(Boolean)) return first;
  }
}

/** Whether a server could listen on this port, on every interface and on the loopback one. */
export async function isPortFree(port: number): Promise<boolean> {
  if (!(await canListen(port, HOST))) return false;
  return canListen(port);
}

function canListen(port: number, host?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, ...(host ? { host } : {}), exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether somebody accepts connections there. */
export function answers(port: number, host = HOST): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1000, () => finish(false));
    socket.once('connect', () => finish(true));
    socket.once('error', () => finish(false));
  });
}
