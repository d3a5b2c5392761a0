/** An HTTP server that passes exchanges to a handler and can be closed at once. */
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { Exchange, jsonAnswer, type Answer } from './exchange.js';

export interface Listening {
  port: number;
  close: () => Promise<void>;
}

/**
 * Serves requests with `handler`, which returns an answer, null to drop the connection, or undefined when it has
 * answered itself.
 * @param tls key and certificate for HTTPS
 */
export async function listen(
  port: number,
  host: string,
  handler: (exchange: Exchange) => Promise<Answer | null | undefined>,
  log: (line: string) => void,
  tls?: { key: string; cert: string },
): Promise<Listening> {
  // Keep idle connections open longer than clients do, like real gateways.
  const serve: http.RequestListener = (request, response) => void serveOne(request, response, handler, log);
  const keepAliveTimeout = 75_000;
  const server = tls
    ? https.createServer({ keepAliveTimeout, ...tls }, serve)
    : http.createServer({ keepAliveTimeout }, serve);
  // No time limit, because a `hold` fault may keep a request waiting for any time.
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serveOne(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  handler: (exchange: Exchange) => Promise<Answer | null | undefined>,
  log: (line: string) => void,
): Promise<void> {
  try {
    const exchange = new Exchange(request, response);
    const answer = await handler(exchange);
    if (answer === null) exchange.drop();
    else if (answer) exchange.send(answer);
  } catch (error) {
    log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    const { status, body, headers } = jsonAnswer(500, { error: { type: 'api_error', message: 'Internal error.' } });
    if (!response.headersSent) response.writeHead(status, headers).end(body);
  }
}
