/** Serves `/metrics` in the Prometheus format on its own port, for the operators' network only. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { collectDefaultMetrics, register } from 'prom-client';
import { config } from '../../config.js';
import '../../models/database/metrics.js';
import '../../models/notifications/push/metrics.js';

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Starts listening and collecting memory, event loop and garbage collection metrics. @throws Error when the port is
 * taken
 */
export async function serveMetrics(port: number): Promise<MetricsServer> {
  collectDefaultMetrics();
  const server = http.createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, config.metricsHost, resolve);
  });
  // The server alone must not keep the process alive.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

async function answer({ method, url }: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  if (method !== 'GET' || url?.split('?')[0] !== '/metrics') {
    response
      .writeHead(404, { 'Content-Type': 'text/plain' })
      .end('Not found. This server answers GET /metrics only.\n');
    return;
  }
  try {
    const text = await register.metrics();
    response.writeHead(200, { 'Content-Type': register.contentType, 'Cache-Control': 'no-store' }).end(text);
  } catch {
    response.writeHead(500).end();
  }
}
