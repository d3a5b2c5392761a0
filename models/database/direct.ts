/**
 * A small pool apart from the main one: counters and health checks must answer, and fail fast, while every pooled
 * connection is busy. Its statements have no tenant.
 */
import { Pool } from 'pg';
import { config } from '../../config.js';
import { log } from '../log.js';

const CONNECTIONS = 4;

/** Creates a small pool with short timeouts. Opens no connection until the first statement. */
export function directPool(connectionString = config.DATABASE_URL): Pool {
  const pool = new Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: 2_000,
    query_timeout: 3_000,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    application_name: 'membership-direct',
  });
  // Without a listener, the error of an idle connection would end the process.
  pool.on('error', (error: Error & { code?: string }) => log.warn({ code: error.code }, 'an idle connection was lost'));
  return pool;
}

let shared: Pool | undefined;

/** The process's own small pool. */
export const direct = (): Pool => (shared ??= directPool());

/** Closes the small pool; it reopens when used. */
export async function closeDirect(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.end();
}
