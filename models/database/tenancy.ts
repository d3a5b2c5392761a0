/** Transactions with a tenant. Outside of them row level security shows no rows at all. */
import pg from 'pg';
import { Transaction } from 'sequelize';
import { type Origin, type Scope, sequelize, withScope } from './connection.js';

/** A statement that waits longer, for a lock say, gives its connection back to the others. */
const STATEMENT_TIMEOUT_MS = 25_000;
/** Times are told in UTC, whatever the server's own zone. */
const SETTINGS = `SET LOCAL statement_timeout = ${STATEMENT_TIMEOUT_MS};SET LOCAL timezone = 'UTC';`;

const NOBODY: Origin = { userId: null, requestId: null, ipAddress: null };

export interface TransactionOptions {
  /** Postgres itself then refuses every write, with SQLSTATE 25006. */
  readOnly?: boolean;
  origin?: Origin;
  /** Told which outbox rows the committed transaction wrote. */
  afterCommit?: (outboxIds: string[]) => void;
}

type PgConnection = pg.Client & { uuid?: string };
type OpenTransaction = Scope['transaction'] & { finished?: string; cleanup(): void };

/**
 * Runs `work` in one transaction that sees and writes only this organization's rows.
 * @param organizationId the tenant's UUID
 */
export function inTenant<T>(organizationId: string, work: () => Promise<T>, options: TransactionOptions = {}) {
  const tenant = `SELECT set_config('app.organization_id', ${pg.escapeLiteral(organizationId)}, true)`;
  return inTransaction(tenant, options, () => organizationId, work);
}

/** Runs `work` in one transaction without a tenant: only the platform tables (`platformTables.ts`) have rows in it. */
export function inPlatform<T>(work: () => Promise<T>, options: TransactionOptions = {}) {
  return inTransaction('', options, () => null, work);
}

/**
 * Runs `work` in one transaction that `opening` prepares in the same message as BEGIN, so that
 * authentication, tenant and transaction cost one round trip.
 * @param opening one SQL statement with its literals escaped, or nothing
 * @param tenantOf reads the tenant that the opening statement set from its first row
 */
export async function inTransaction<T>(
  opening: string,
  options: TransactionOptions,
  tenantOf: (row: Record<string, unknown> | undefined) => string | null,
  work: (openingRow: Record<string, unknown> | undefined) => Promise<T>,
): Promise<T> {
  const transaction = await acquire();
  const scope: Scope = { transaction, organizationId: null, origin: options.origin ?? NOBODY, enqueued: [] };
  let result: T;
  try {
    const begin = `BEGIN${options.readOnly ? ' READ ONLY' : ''};${SETTINGS}`;
    const opened = [await transaction.connection.query(begin + opening)].flat().at(-1);
    const row = opening ? (opened?.rows[0] as Record<string, unknown> | undefined) : undefined;
    scope.organizationId = tenantOf(row);
    result = await withScope(scope, () => work(row));
    await commit(transaction);
  } catch (error) {
    await rollback(transaction);
    throw error;
  }
  release(transaction);
  if (scope.enqueued.length > 0) options.afterCommit?.(scope.enqueued);
  return result;
}

async function acquire(): Promise<OpenTransaction> {
  const Constructor = Transaction as unknown as new (owner: unknown, options: object) => OpenTransaction;
  const transaction = new Constructor(sequelize, {});
  const manager = sequelize.connectionManager as unknown as {
    getConnection(options: object): Promise<PgConnection>;
  };
  const connection = await manager.getConnection({
    type: 'write',
    uuid: (transaction as unknown as { id: string }).id,
  });
  connection.uuid = (transaction as unknown as { id: string }).id;
  transaction.connection = connection;
  return transaction;
}

async function commit(transaction: OpenTransaction): Promise<void> {
  const answer = await transaction.connection.query('COMMIT');
  // Postgres answers the COMMIT of a failed transaction with ROLLBACK and no error.
  if (answer.command !== 'COMMIT') throw new Error('The transaction had failed before it was committed.');
}

async function rollback(transaction: OpenTransaction): Promise<void> {
  try {
    await transaction.connection.query('ROLLBACK');
  } catch {
    // The connection is gone, and the transaction with it; the pool drops it on release.
  }
  release(transaction);
}

function release(transaction: OpenTransaction): void {
  transaction.finished = 'ended';
  transaction.cleanup();
}
