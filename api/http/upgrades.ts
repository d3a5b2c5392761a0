/**
 * Passes upgrade requests through the application like ordinary requests: they are authenticated, throttled, refused
 * and logged. The handler of their route then switches protocols (`switchProtocols`).
 */
import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';

/** Node's data of an upgrade request. */
export interface Upgrade {
  socket: Duplex;
  /** Bytes that followed the request. */
  head: Buffer;
  /** Time of arrival on the process's monotonic clock. */
  arrivedAt: number;
}

const UPGRADE = Symbol('upgrade');
type UpgradeRequest = http.IncomingMessage & { [UPGRADE]?: Upgrade & { response: http.ServerResponse } };

/** Lets `listener` answer WebSocket requests. Requests for other protocols are answered as plain HTTP. */
export function answerUpgrades(
  server: http.Server,
  listener: http.RequestListener,
  Response: typeof http.ServerResponse,
) {
  server.on('upgrade', (request: UpgradeRequest, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return continueAsHttp(server, request, socket, head);
    // Until the protocol switch, a broken connection needs no handling.
    socket.on('error', () => undefined);
    const response = new Response(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    response.once('finish', () => {
      release(response, socket);
      socket.end();
    });
    request[UPGRADE] = { socket, head, arrivedAt: performance.now(), response };
    listener(request, response);
  });
}

/** The request's upgrade; undefined for an ordinary request. */
export const upgradeOf = (request: Request): Upgrade | undefined => (request as UpgradeRequest)[UPGRADE];

/** Marks the connection as switched to another protocol: no HTTP response follows. */
export function switchProtocols(request: Request): void {
  const upgrade = (request as UpgradeRequest)[UPGRADE];
  if (!upgrade) return;
  upgrade.response.statusCode = 101;
  release(upgrade.response, upgrade.socket);
}

/** Releases the socket as Node does after a response. */
function release(response: http.ServerResponse, socket: Duplex): void {
  response.detachSocket(socket as never);
  response.emit('close');
}

/**
 * Continues as plain HTTP. Java's client, for example, offers HTTP/2 in the Upgrade header of each request, and a
 * server may ignore that header (RFC 9110, 7.8).
 */
function continueAsHttp(server: http.Server, request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
