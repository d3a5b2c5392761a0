/** Facts about a request for handlers, logs and throttles. */
import { randomUUID } from 'node:crypto';
import { isIP, isIPv4 } from 'node:net';
import type { Request } from 'express';
import { config } from '../../config.js';
import type { RequestFacts } from './routes.js';

const REQUEST_ID = /^[A-Za-z0-9._-]{1,100}$/;

/** The client's request id if it is valid, otherwise a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();
}

/**
 * Returns the client's address: entry number NUM_PROXIES of X-Forwarded-For, counted from the right, because a client
 * can forge the entries to the left of it. If the header has fewer entries than there are proxies, the request did not
 * pass the proxies, and the socket's address is returned.
 */
export function ipAddressOf(request: Pick<Request, 'headers' | 'socket'>, proxies = config.NUM_PROXIES): string {
  const remote = request.socket.remoteAddress ?? '';
  // A dual-stack server reports IPv4 addresses in IPv6 form.
  const socket = plainAddress(remote.startsWith('::ffff:') ? remote.slice(7) : remote) ?? 'unknown';
  if (proxies === 0) return socket;
  const header = [request.headers['x-forwarded-for'] ?? []].flat().join(',');
  return plainAddress(header.split(',').at(-proxies)?.trim() ?? '') ?? socket;
}

/**
 * Returns an address without the port that some proxies add, and an IPv4-mapped address as IPv4; null when the text is
 * no address.
 */
function plainAddress(text: string): string | null {
  if (isIPv4(text)) return text;
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  const address = /^::ffff:([\d.]+)$/i.exec(bare)?.[1] ?? bare;
  return isIP(address) ? address : null;
}

// Key under which the facts are kept on the request itself. A WeakMap would keep request and facts in memory until the
// next full garbage collection.
const FACTS = Symbol('facts');

export function requestFacts(request: Request & { [FACTS]?: RequestFacts }): RequestFacts {
  return (request[FACTS] ??= factsOf(request));
}

function factsOf(request: Request): RequestFacts {
  return {
    id: (request as Request & { id: string }).id,
    ipAddress: ipAddressOf(request).slice(0, 60),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
    url: config.backendUrl + withSlash(request.originalUrl.split('?')[0] ?? '/'),
    raw: request,
  };
}

const withSlash = (path: string): string => (path.endsWith('/') ? path : `${path}/`);
