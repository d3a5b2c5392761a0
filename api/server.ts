/** The API as a server: time limits while it runs, and an end that finishes what was begun. */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Express } from 'express';
import { config } from '../config.js';
import { followDatabaseClock } from '../models/database/clock.js';
import { followReplica } from '../models/database/replica.js';
import type { Refusal } from '../models/errors.js';
import { createApp } from './app.js';
import { bodyOf, httpErrors } from './http/errorHandler.js';
import { messagesOf } from './http/messages.js';
import type { Route } from './http/routes.js';
import { createThrottles, type Throttles } from './http/throttles/throttles.js';
import { answerUpgrades } from './http/upgrades.js';
import { closeRealtime, openRealtime } from './notifications/realtime/connect.js';
import { allRoutes } from './routes.js';

export interface RunningServer {
  port: number;
  /** Takes no new requests, finishes those in flight up to the grace period, and saves what was counted. */
  stop(graceSeconds?: number): Promise<void>;
}

export interface ServerOptions {
  /** 0 for any free one. */
  port?: number;
  throttles?: Throttles;
  routes?: Route[];
}

/** Listens. @throws Error when the port is taken */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = config.PORT, throttles = createThrottles(), routes = allRoutes } = options;
  const open = new Set<http.ServerResponse>();
  const app = createApp(throttles, routes);
  const messages = messagesOf(app);
  const listener = tracking(app, open);
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
      await Promise.all([finish(server, open, graceSeconds), closeRealtime()]);
      await unfollowReplica();
      await throttles.close();
    },
  };
}

// Longer than a load balancer keeps its idle connections, so that it is never us who closes one it is about to use.
const KEEP_ALIVE_MS = 65_000;

function limits(): http.ServerOptions {
  const requestTimeout = config.REQUEST_TIMEOUT_SECONDS * 1000;
  return {
    requestTimeout,
    headersTimeout: Math.min(requestTimeout, 10_000),
    connectionsCheckingInterval: Math.min(requestTimeout, 2_000),
    // The application refuses it, in the shape of every other error.
    requireHostHeader: false,
  };
}

const tracking =
  (app: Express, open: Set<http.ServerResponse>): http.RequestListener =>
  (request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    app(request, response);
  };

async function finish(server: http.Server, open: Set<http.ServerResponse>, graceSeconds: number): Promise<void> {
  const impatient = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
  // Else these connections would stay open after their answers.
  for (const response of open) if (!response.headersSent) response.setHeader('Connection', 'close');
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearTimeout(impatient);
}

const UNREADABLE: Record<string, (typeof httpErrors)[keyof typeof httpErrors]> = {
  HPE_HEADER_OVERFLOW: httpErrors.headers_too_large,
  ERR_HTTP_REQUEST_TIMEOUT: httpErrors.request_timeout,
};

/** Answers what Node could not read as a request: no Express and no response object exist for it. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Socket & { _httpMessage?: http.ServerResponse }): void {
  const begun = socket._httpMessage?.headersSent ?? false;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) return void socket.destroy();
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
