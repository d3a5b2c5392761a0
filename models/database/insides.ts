/**
 * All that is used of Sequelize's insides: its pool, and transactions that it did not begin and does not end. What its types call
 * private may change with any release of it; `test/models/insides.test.ts` asks for each part.
 */
import type pg from 'pg';
import { Sequelize, Transaction } from 'sequelize';

/** A connection of the pool. Sequelize keeps with it whose transaction it is. */
export type PooledConnection = pg.Client & { uuid?: string };

/** A transaction as models find it: they send their statements on its connection, unless it is finished. */
export type OpenTransaction = Transaction & { connection: PooledConnection; finished?: string };

interface Insides {
  connectionManager: {
    getConnection(options: { type: 'write' }): Promise<PooledConnection>;
    releaseConnection(connection: PooledConnection): void;
    pool: { size: number; using: number; waiting: number; destroyAllNow(): Promise<void> };
  };
}
const managerOf = (sequelize: Sequelize) => (sequelize as unknown as Insides).connectionManager;

/** Takes a connection; waits for one when all are in use. @throws Error when there is none in time */
export const takeConnection = (sequelize: Sequelize): Promise<PooledConnection> =>
  managerOf(sequelize).getConnection({ type: 'write' });

/** Gives a connection back to the pool, which drops one that has ended. */
export const returnConnection = (sequelize: Sequelize, connection: PooledConnection): void =>
  managerOf(sequelize).releaseConnection(connection);

/** A transaction on this connection. Nothing is sent: BEGIN is the caller's. */
export function transactionOn(sequelize: Sequelize, connection: PooledConnection): OpenTransaction {
  const Constructor = Transaction as unknown as new (sequelize: Sequelize, options: object) => { id: string };
  const transaction = new Constructor(sequelize, {});
  connection.uuid = transaction.id;
  return Object.assign(transaction, { connection }) as unknown as OpenTransaction;
}

/** Whether models may still use it. */
export const isOpen = (transaction: OpenTransaction): boolean => !transaction.finished;

/** COMMIT went along with its last statement: it ends later, and nobody may use it from now on. */
export const hasCommitted = (transaction: OpenTransaction): void => void (transaction.finished = 'commit');

/** Gives its connection back. COMMIT or ROLLBACK was the caller's; models that come too late are refused. */
export function closeTransaction(transaction: OpenTransaction): void {
  transaction.finished = 'ended';
  (transaction as unknown as { cleanup(): void }).cleanup();
}

/** Sequelize asks this for the transaction of each statement, so that no call can forget to pass it. */
export const findTransactionWith = (current: () => OpenTransaction | undefined): void =>
  void Sequelize.useCLS({
    get: (key: string) => (key === 'transaction' ? current() : undefined),
    set: () => undefined,
    bind: <F>(work: F) => work,
    run: (work: () => unknown) => work(),
  });

/** How many connections are open, how many of them in use, and how many calls wait for one. */
export function poolUse(sequelize: Sequelize): { open: number; inUse: number; waiting: number } {
  const { size, using, waiting } = managerOf(sequelize).pool;
  return { open: size, inUse: using, waiting };
}

/** Ends the connections that nobody uses; the pool stays usable. */
export const closeIdleConnections = (sequelize: Sequelize): Promise<void> => managerOf(sequelize).pool.destroyAllNow();
