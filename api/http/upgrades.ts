/**
 * Requests that ask for another protocol on their connection pass the application like any other: they are authenticated,
 * throttled, refused and logged by it, and the handler of a route for them switches (`switchProtocols`).
 */
import http from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';

/** What Node hands over with such a request. */
export interface Upgrade {
  socket: Duplex;
  /** What its sender wrote behind the request. */
  head: Buffer;
  /** When it arrived, by the process's steady clock. */
  since: number;
}

const UPGRADE = Symbol('upgrade');
type Upgrading = http.IncomingMessage & { [UPGRADE]?: Upgrade & { response: http.ServerResponse } };

/** Lets `listener` answer requests for WebSocket. Who asks for any other protocol is answered as if they did not. */
export function answerUpgrades(
  server: http.Server,
  listener: http.RequestListener,
  Response: typeof http.ServerResponse,
) {
  server.on('upgrade', (request: Upgrading, socket: Duplex, head: Buffer) => {
    if (request.headers.upgrade?.toLowerCase() !== 'websocket') return goOnAsBefore(server, request, socket, head);
    // Until somebody switches, a connection that breaks is nobody's concern.
    socket.on('error', () => undefined);
    const response = new Response(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket as never);
    response.once('finish', () => {
      release(response, socket);
      socket.end();
    });
    request[UPGRADE] = { socket, head, since: performance.now(), response };
    listener(request, response);
  });
}

/** What the request asks for; undefined for one that asks for nothing. */
export const upgradeOf = (request: Request): Upgrade | undefined => (request as Upgrading)[UPGRADE];

/** The connection speaks another protocol from here on, and its client was told: nothing more is answered. */
export function switchProtocols(request: Request): void {
  const upgrade = (request as Upgrading)[UPGRADE];
  if (!upgrade) return;
  upgrade.response.statusCode = 101;
  release(upgrade.response, upgrade.socket);
}

/** As Node does after an answer. */
function release(response: http.ServerResponse, socket: Duplex): void {
  response.detachSocket(socket as never);
  response.emit('close');
}

/** Java's client for one asks for HTTP/2 with each request: such a header may be ignored (RFC 9110, 7.8). */
function goOnAsBefore(server: http.Server, request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method} ${request.url} HTTP/${request.httpVersion}`];
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(at, at + 2);
    if (!/^(upgrade|connection|http2-settings)$/i.test(name)) lines.push(`${name}: ${value}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}
