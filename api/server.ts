/** The API as a server: time limits while it runs, and an end that finishes what was begun. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { config } from '../config.js';
import { createApp } from './app.js';

export interface RunningServer {
  port: number;
  /** Finishes requests in flight, up to the grace period. */
  stop(graceSeconds?: number): Promise<void>;
}

export async function startServer(port = config.PORT): Promise<RunningServer> {
  const server = http.createServer(createApp());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop: (graceSeconds = config.SHUTDOWN_GRACE_SECONDS) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => server.closeAllConnections(), graceSeconds * 1000);
        server.close(() => {
          clearTimeout(timer);
          resolve();
        });
      }),
  };
}
