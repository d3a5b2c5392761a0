/**
 * Contains all uses of Sequelize's internals: its connection pool, and transactions that the platform begins and ends
 * itself. These internals may change with any release; `test/models/sequelizeInternals.test.ts` checks each.
 */
import pg from 'pg';
import { Sequelize, Transaction } from 'sequelize';

/** A pooled connection. Sequelize stores the id of its transaction on it. */
export type PooledConnection = pg.Client & { uuid?: string };

/** A transaction for the statements of models, which are sent on its connection until `finished` is set. */
export type OpenTransaction = Transaction & { connection: PooledConnection; finished?: string };

class ListeningClient extends pg.Client {
  constructor(settings?: string | pg.ClientConfig) {
    super(settings);
    this.on('error', () => undefined);
  }
}

/**
 * The driver for Sequelize, which listens for a connection's errors only some time after the handshake. If Postgres ended
 * the connection before that, the error would be uncaught and end the process.
 */
export const driver = Object.assign(Object.create(pg) as typeof pg, { Client: ListeningClient });

interface Internals {
  connectionManager: {
    getConnection(options: { type: 'write' }): Promise<PooledConnection>;
    releaseConnection(connection: PooledConnection): void;
    pool: { size: number; using: number; waiting: number; destroyAllNow(): Promise<void> };
  };
}
const connectionManagerOf = (sequelize: Sequelize) => (sequelize as unknown as Internals).connectionManager;

/** Checks out a connection, waiting while all are in use. @throws Error when none is free in time */
export const acquireConnection = (sequelize: Sequelize): Promise<PooledConnection> =>
  connectionManagerOf(sequelize).getConnection({ type: 'write' });

/** Returns a connection to the pool, which drops one that has ended. */
export const releaseConnection = (sequelize: Sequelize, connection: PooledConnection): void =>
  connectionManagerOf(sequelize).releaseConnection(connection);

/** Creates a transaction on this connection. Sends nothing; the caller sends BEGIN. */
export function createTransaction(sequelize: Sequelize, connection: PooledConnection): OpenTransaction {
  const Constructor = Transaction as unknown as new (sequelize: Sequelize, options: object) => { id: string };
  const transaction = new Constructor(sequelize, {});
  connection.uuid = transaction.id;
  return Object.assign(transaction, { connection }) as unknown as OpenTransaction;
}

/** Reports whether models may still send statements in the transaction. */
export const isOpen = (transaction: OpenTransaction): boolean => !transaction.finished;

/** Marks a transaction as finished whose COMMIT was sent with its last statement. */
export const markCommitted = (transaction: OpenTransaction): void => void (transaction.finished = 'commit');

/**
 * Ends a transaction after the caller has sent COMMIT or ROLLBACK, and returns its connection to the pool. Further
 * statements of models in this transaction fail.
 */
export function closeTransaction(transaction: OpenTransaction): void {
  transaction.finished = 'ended';
  (transaction as unknown as { cleanup(): void }).cleanup();
}

/** Makes Sequelize call `current` to find the transaction of each statement, so that no call can forget to pass it. */
export const useTransactionOf = (current: () => OpenTransaction | undefined): void =>
  void Sequelize.useCLS({
    get: (key: string) => (key === 'transaction' ? current() : undefined),
    set: () => undefined,
    bind: <F>(work: F) => work,
    run: (work: () => unknown) => work(),
  });

/** Returns the numbers of open connections, of connections in use, and of calls that wait for one. */
export function poolUse(sequelize: Sequelize): { open: number; inUse: number; waiting: number } {
  const { size, using, waiting } = connectionManagerOf(sequelize).pool;
  return { open: size, inUse: using, waiting };
}

/** Closes idle connections; the pool stays usable. */
export const closeIdleConnections = (sequelize: Sequelize): Promise<void> =>
  connectionManagerOf(sequelize).pool.destroyAllNow();
