/**
 * The auxiliary pool: a few connections beside the main pool, for counters and health checks. These must work, and fail
 * fast, even while all connections of the main pool are busy. Statements on this pool have no tenant.
 */
import { Pool } from 'pg';
import { config } from '../../config.js';
import { log } from '../log.js';

const MAX_CONNECTIONS = 4;

/** Creates a small pool with short timeouts. Opens no connection until the first statement. */
export function createAuxiliaryPool(connectionString = config.DATABASE_URL): Pool {
  const pool = new Pool({
    connectionString,
    max: MAX_CONNECTIONS,
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

/** Returns the auxiliary pool of this process. */
export const auxiliaryPool = (): Pool => (shared ??= createAuxiliaryPool());

/** Closes the auxiliary pool; the next use opens a new one. */
export async function closeAuxiliaryPool(): Promise<void> {
  const closing = shared;
  shared = undefined;
  await closing?.end();
}
