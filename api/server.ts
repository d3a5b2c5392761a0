/** The API server: its time limits, and a shutdown that finishes the requests in flight. */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { config } from '../config.js';
import { followDatabaseClock } from '../models/database/clock.js';
import { followReplica } from '../models/database/replica.js';
import type { Refusal } from '../models/errors.js';
import { createApp } from './app.js';
import { bodyOf, httpErrors } from './http/errorHandler.js';
import { createMessageClasses } from './http/expressPrototypes.js';
import type { Route } from './http/routes.js';
import { createThrottles, type Throttles } from './http/throttles/throttles.js';
import { answerUpgrades } from './http/upgrades.js';
import { closeRealtime, openRealtime } from './notifications/realtime/connect.js';
import { allRoutes } from './routes.js';

export interface RunningServer {
  port: number;
  /** Accepts no new requests, finishes those in flight within the grace period, and stores throttle counts. */
  stop(graceSeconds?: number): Promise<void>;
}

export interface ServerOptions {
  /** Port to listen on; 0 selects any free port. */
  port?: number;
  throttles?: Throttles;
  routes?: Route[];
}

/**
 * Starts listening.
 * @throws Error when the port is in use
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = config.PORT, throttles = createThrottles(), routes = allRoutes } = options;
  const openResponses = new Set<http.ServerResponse>();
  const app = createApp(throttles, routes);
  const messages = createMessageClasses(app);
  const listener = trackResponses(app, openResponses);
  const server = http.createServer({ ...limits(), ...messages }, listener);
  answerUpgrades(server, listener, messages.ServerResponse);
  openRealtime();
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.on('clientError', answerUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve);
  });
  const unfollowClock = followDatabaseClock();
  const unfollowReplica = followReplica();
  return {
    port: (server.address() as AddressInfo).port,
    stop: async (graceSeconds = config.SHUTDOWN_GRACE_SECONDS) => {
      unfollowClock();
      await Promise.all([shutDown(server, openResponses, graceSeconds), closeRealtime()]);
      await unfollowReplica();
      await throttles.close();
    },
  };
}

// How long idle connections stay open. It is longer than a load balancer keeps them, so that the server never closes a
// connection that the balancer is about to use.
const KEEP_ALIVE_MS = 65_000;

function limits(): http.ServerOptions {
  const requestTimeout = config.REQUEST_TIMEOUT_SECONDS * 1000;
  return {
    requestTimeout,
    headersTimeout: Math.min(requestTimeout, 10_000),
    connectionsCheckingInterval: Math.min(requestTimeout, 2_000),
    // The application refuses a missing Host header itself, with its usual error format.
    requireHostHeader: false,
  };
}

const trackResponses =
  (app: Express, openResponses: Set<http.ServerResponse>): http.RequestListener =>
  (request, response) => {
    openResponses.add(response);
    response.once('close', () => openResponses.delete(response));
    if (request.url?.startsWith('http')) request.url = pathOf(request.url);
    app(request, response);
  };

/** Reduces the absolute form of an address (RFC 9112, section 3.2.2) to the path and query that all other code expects. */
function pathOf(address: string): string {
  const path = address.replace(/^https?:\/\/[^/?]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

async function shutDown(
  server: http.Server,
  openResponses: Set<http.ServerResponse>,
  graceSeconds: number,
): Promise<void> {
  const forceClose = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
  // Close these connections after their responses; otherwise they would stay open.
  for (const response of openResponses) if (!response.headersSent) response.setHeader('Connection', 'close');
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(forceClose);
}

const UNREADABLE: Record<string, (typeof httpErrors)[keyof typeof httpErrors]> = {
  HPE_HEADER_OVERFLOW: httpErrors.headers_too_large,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.request_timeout,
};

/** Answers a request that Node could not parse. There is no Express request or response object for it. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: http.ServerResponse }): void {
  const headersSent = socket._httpMessage?.headersSent ?? false;
  if (error.code === 'ECONNRESET' || !socket.writable || headersSent) return void socket.destroy();
  socket.end(plainAnswer((UNREADABLE[error.code ?? ''] ?? httpErrors.malformed_request)()));
}

function plainAnswer(refusal: Refusal): string {
  const body = JSON.stringify(bodyOf(refusal));
  return [
    `HTTP/1.1 ${refusal.status} ${http.STATUS_CODES[refusal.status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
