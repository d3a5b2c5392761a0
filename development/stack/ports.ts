/**
 * Network ports of the local servers: reports whether a port is free, finds a free one, and checks whether a server
 * listens.
 */
import { randomInt } from 'node:crypto';
import net from 'node:net';

const HOST = '127.0.0.1';

/**
 * Range of the ports that are offered. It lies below the ephemeral ports, which the operating system could give to an
 * outgoing connection before the server takes them.
 */
const MIN_PORT = 15_000;
const MAX_PORT = 32_000;

/**
 * Number of ports in the range of one process. Each process searches only its own range and offers each port once, so
 * two concurrent searches never find the same port.
 */
const RANGE_SIZE = 1_000;
const from = MIN_PORT + (process.pid % ((MAX_PORT - MIN_PORT) / RANGE_SIZE)) * RANGE_SIZE;
const offeredPorts = new Set<number>();

/** Finds a port that is free now and that this process has not returned recently. */
export async function freePort(): Promise<number> {
  for (;;) {
    if (offeredPorts.size === RANGE_SIZE) offeredPorts.clear();
    const port = randomInt(from, from + RANGE_SIZE);
    if (offeredPorts.has(port)) continue;
    offeredPorts.add(port);
    if (await isPortFree(port)) return port;
  }
}

/** Finds consecutive free ports. @returns the first of them */
export async function findConsecutivePorts(count: number): Promise<number> {
  for (;;) {
    const first = await freePort();
    const row = Array.from({ length: count }, (_, n) => isPortFree(first + n));
    if ((await Promise.all(row)).every(Boolean)) return first;
  }
}

/** Reports whether a server could listen on this port, both on all interfaces and on the loopback interface. */
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

/** Reports whether a server accepts connections there. */
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
