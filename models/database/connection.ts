/** The connection pool of the process, and the transaction of the current call. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { Sequelize } from 'sequelize';
import { config } from '../../config.js';
import { requireAllProvided } from '../lateBinding.js';
import { driver, isOpen, type OpenTransaction, type PooledConnection, useTransactionOf } from './sequelizeInternals.js';

/** The user and request that cause a transaction, for the audit log (`audit.ts`). */
export interface Origin {
  userId: string | null;
  requestId: string | null;
  ipAddress: string | null;
  /** The session that `userId` uses. */
  sessionId?: string;
  /** Whether a platform admin makes the change under /api/platform/. The platform's audit log then records it as well. */
  isPlatformRequest?: boolean;
}

/** State of the transaction that is open in this asynchronous call chain. */
export interface Scope {
  transaction: OpenTransaction;
  organizationId: string | null;
  origin: Origin;
  /** Ids of the outbox rows that this transaction has written. */
  enqueued: string[];
  /** Announcements to send after the commit: see `announcements.ts`. */
  announcements: string[];
  /**
   * Whether the code that opened the transaction dispatches the outbox rows after the commit; otherwise the relay does.
   */
  dispatches: boolean;
}

const scopes = new AsyncLocalStorage<Scope>();

/** Runs `work` with `scope` as the current transaction. */
export const withScope = <T>(scope: Scope, work: () => Promise<T>): Promise<T> => scopes.run(scope, work);

/**
 * Returns the scope of the current transaction.
 * @throws Error outside of `inTenant` and `inPlatform`
 */
export function currentScope(): Scope {
  const scope = scopes.getStore();
  if (!scope) throw new Error('No transaction is open here: wrap the call in inTenant() or inPlatform().');
  return scope;
}

/**
 * Returns the connection of the open transaction. @throws Error outside of a transaction, and when the transaction has
 * ended
 */
export function openConnection(): PooledConnection {
  const { transaction } = currentScope();
  if (!isOpen(transaction)) throw new Error('The transaction of this call has ended.');
  return transaction.connection;
}

/** Whether a transaction is open in this asynchronous call chain. */
export function isInTransaction(): boolean {
  const scope = scopes.getStore();
  return scope !== undefined && isOpen(scope.transaction);
}

useTransactionOf(() => scopes.getStore()?.transaction);

// bigint columns hold cents and counts, which a JavaScript number represents exactly up to 9e15. Throws for larger
// values, because an error is better than a wrong number.
function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The integer ${text} is too large to be exact.`);
  return value;
}
pg.types.setTypeParser(pg.types.builtins.INT8, parseInt8);
/** Postgres's type id of `bigint[]`. The parser does not handle NULL, because our columns of this type contain none. */
const INT8_ARRAY = 1016;
pg.types.setTypeParser(INT8_ARRAY as never, (text: string) =>
  text === '{}' ? [] : text.slice(1, -1).split(',').map(parseInt8),
);
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text);

/** Creates a pool that opens no connection until the first statement. */
function createPool(url: string, connectTimeoutMs: number): Sequelize {
  const pool = new Sequelize(url, {
    dialect: 'postgres',
    dialectModule: driver,
    logging: false,
    pool: { max: config.DATABASE_POOL, min: 0, idle: 30_000, acquire: 8_000 },
    define: { underscored: true, timestamps: true },
    dialectOptions: {
      clientMinMessages: 'ignore',
      connectionTimeoutMillis: connectTimeoutMs,
      // Longer than the server's statement timeout (tenancy.ts), which fires first unless the server is unreachable.
      query_timeout: 27_000,
      keepAlive: true,
      application_name: 'membership',
    },
    // With a transaction-mode pooler, settings of the session would be lost or affect other clients, so Sequelize must
    // not set any.
    keepDefaultTimezone: true,
    standardConformingStrings: false,
  } as ConstructorParameters<typeof Sequelize>[1]);
  pool.addHook('beforeConnect', requireAllProvided);
  return pool;
}

export const sequelize = createPool(config.DATABASE_URL, 5_000);

/** Pool of the read replica, if there is one: for reads that tolerate lag (`replica.ts`). */
export const replicaPool = config.DATABASE_READ_URL === undefined ? null : createPool(config.DATABASE_READ_URL, 1_000);
