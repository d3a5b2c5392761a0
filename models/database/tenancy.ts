/** Runs transactions with a tenant. Without such a transaction, row level security shows no rows of tenant tables. */
import type pg from 'pg';
import type { Sequelize } from 'sequelize';
import { sendAnnouncements } from './announcements.js';
import { hasNoAnswer, sqlStateOf } from './constraints.js';
import { currentScope, type Origin, replicaPool, type Scope, sequelize, withScope } from './connection.js';
import {
  closeTransaction,
  isOpen,
  type OpenTransaction,
  type PooledConnection,
  acquireConnection,
  createTransaction,
} from './sequelizeInternals.js';
import { type Lsn, parseLsn, REPLAYED } from './lsn.js';
import { lockTimeout, type Requester, acquireConnectionSlot } from './connectionQuota.js';
import { rows, type Statement } from './rows.js';
import type { Release } from './fairSemaphore.js';
import { isStalePlan, sendPipelined } from './pipeline.js';

/**
 * A statement that takes longer, for example because it waits for a lock, is cancelled, so that its connection becomes
 * free.
 */
export const STATEMENT_TIMEOUT_MS = 25_000;
/**
 * Beginning a transaction and setting its tenant and actor take milliseconds. A database that has not responded within
 * this time hangs.
 */
export const PREAMBLE_TIMEOUT_MS = 5_000;
/** All times are UTC, independent of the server's time zone. */
const SETTINGS = `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
                         set_config('timezone', 'UTC', true)`;
export const platformPreamble = ({ statementMs, lockMs }: Limits): Statement => ({
  text: SETTINGS,
  values: [statementMs, lockMs],
  prepared: true,
});

/** Timeouts of a transaction. `lockMs` limits waiting for a lock within a statement; 0 means no limit of its own. */
export interface Limits {
  statementMs: number;
  lockMs: number;
}

/**
 * Builds the first statement of a transaction: a SELECT of one row that sets statement_timeout, lock_timeout, timezone
 * and the tenant. `withColumns` can add columns in front of these.
 */
export type TransactionPreamble = (limits: Limits) => Statement;

export const tenantPreamble =
  (organizationId: string): TransactionPreamble =>
  (limits) =>
    withColumns(platformPreamble(limits), `set_config('app.organization_id', $3, true)`, organizationId);

const SYSTEM_ORIGIN: Origin = { userId: null, requestId: null, ipAddress: null };

export interface TransactionOptions {
  /** Makes Postgres refuse every write with SQLSTATE 25006. */
  readOnly?: boolean;
  /** Lets all statements read the same snapshot (REPEATABLE READ). The transaction is read-only. */
  oneSnapshot?: boolean;
  /** Runs the transaction on the replica, for reads only. Absent: on the primary. */
  atReplica?: AtReplica | undefined;
  origin?: Origin;
  /** Receives the ids of the outbox rows that the committed transaction wrote. */
  afterCommit?: (outboxIds: string[]) => void;
}

/** Requirements of a read from the replica. */
export interface AtReplica {
  /** The replica must have replayed the WAL up to this LSN. */
  after: Lsn;
}

/**
 * Thrown if the replica has not replayed the required position, or is no longer a replica. The result of the read is
 * discarded.
 */
export class NotReplayed extends Error {
  constructor() {
    super('The replica has not replayed the LSN that this read requires.');
  }
}

export type Row = Record<string, unknown> | undefined;

/**
 * Runs `work` in one transaction that sees and writes only this organization's rows.
 * @param organizationId the tenant's UUID
 */
export function inTenant<T>(organizationId: string, work: () => Promise<T>, options: TransactionOptions = {}) {
  return inTransaction(tenantPreamble(organizationId), options, () => organizationId, work, organizationId);
}

/** Runs `work` in one transaction without a tenant: only the platform tables (`platformTables.ts`) have rows in it. */
export function inPlatform<T>(work: () => Promise<T>, options: TransactionOptions = {}) {
  return inTransaction(platformPreamble, options, () => null, work);
}

/**
 * Runs `work` in another tenant within the open transaction. Used when a change to a person is recorded in several
 * organizations. A failure rolls back the whole transaction.
 */
export async function asTenant<T>(organizationId: string, work: () => Promise<T>): Promise<T> {
  const scope = currentScope();
  const enter = (tenant: string) => rows(`SELECT set_config('app.organization_id', $1, true)`, [tenant]);
  await enter(organizationId);
  const result = await withScope({ ...scope, organizationId }, work);
  await enter(scope.organizationId ?? '');
  return result;
}

/** Runs `work` in the organization, or without a tenant when there is none. */
export const inTenantIfAny = <T>(
  organizationId: string | null,
  work: () => Promise<T>,
  options: TransactionOptions = {},
): Promise<T> => (organizationId ? inTenant(organizationId, work, options) : inPlatform(work, options));

/**
 * Runs `work` in one transaction. Its preamble is pipelined with BEGIN, so that authentication, tenant and transaction
 * cost one round trip.
 */
export async function inTransaction<T>(
  preamble: TransactionPreamble,
  options: TransactionOptions,
  tenantOf: (row: Row) => string | null,
  work: (preambleRow: Row) => Promise<T>,
  tenant: string | null = null,
): Promise<T> {
  const releaseSlot = await acquireConnectionSlot(tenant);
  const { origin = SYSTEM_ORIGIN, afterCommit, atReplica } = options;
  const pool = poolFor(atReplica);
  const transaction = createTransaction(pool, await connectionOf(pool, releaseSlot));
  const dispatches = afterCommit !== undefined;
  const scope: Scope = { transaction, organizationId: null, origin, enqueued: [], announcements: [], dispatches };
  const release = () => {
    closeTransaction(transaction);
    releaseSlot();
  };
  let result: T;
  try {
    const preambleStatement = preambleAt(atReplica, preamble(limits(STATEMENT_TIMEOUT_MS)));
    const row = await begin(transaction.connection, preambleStatement, modeOf(options));
    requireReplayed(atReplica, row);
    scope.organizationId = tenantOf(row);
    result = await withScope(scope, () => work(row));
    if (isOpen(transaction)) await commit(transaction);
  } catch (error) {
    await rollback(transaction.connection, error);
    release();
    // A write in a read-only transaction is a programming error. In other transactions, SQLSTATE 25006 means that the
    // server accepts no writes.
    if (options.readOnly && sqlStateOf(error) === '25006') throw new Error('A read tried to write.', { cause: error });
    throw error;
  }
  release();
  if (scope.enqueued.length > 0) afterCommit?.(scope.enqueued);
  if (scope.announcements.length > 0) void sendAnnouncements(scope.announcements);
  return result;
}

type Mode = 'write' | 'read' | 'snapshot';

const BEGIN: Record<Mode, Statement> = {
  write: { text: 'BEGIN', values: [], prepared: true },
  read: { text: 'BEGIN READ ONLY', values: [], prepared: true },
  snapshot: { text: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', values: [] },
};

function modeOf({ oneSnapshot, readOnly, atReplica }: TransactionOptions): Mode {
  if (oneSnapshot) return 'snapshot';
  return readOnly || atReplica !== undefined ? 'read' : 'write';
}

/**
 * Sends BEGIN and the preamble, and repeats both once if a prepared statement is stale.
 * @returns the preamble's first row
 */
async function begin(connection: pg.Client, preamble: Statement, mode: Mode): Promise<Row> {
  const statements = [BEGIN[mode], preamble];
  try {
    return (await sendPipelined(connection, statements, PREAMBLE_TIMEOUT_MS))[1]?.[0];
  } catch (error) {
    if (!isStalePlan(error)) throw error;
    await runWithTimeout(connection, 'ROLLBACK');
    return (await sendPipelined(connection, statements, PREAMBLE_TIMEOUT_MS))[1]?.[0];
  }
}

/**
 * Adds columns before the other columns of a SELECT.
 * @param added values for these columns; their numbers follow those of the statement's own values
 */
export const withColumns = (
  { text, values, prepared }: Statement,
  columns: string,
  ...added: unknown[]
): Statement => ({
  text: widened(text, columns),
  values: [...values, ...added],
  ...(prepared && { prepared }),
});

/**
 * Caches statement texts with added columns, so that equal texts are the same object and the hash for the prepared
 * statement is not computed again.
 */
const widenedTextCache = new Map<string, Map<string, string>>();

function widened(text: string, columns: string): string {
  const byText = widenedTextCache.get(columns) ?? new Map<string, string>();
  const cached = byText.get(text);
  if (cached !== undefined) return cached;
  const widenedText = text.replace(/^SELECT /, () => `SELECT ${columns}, `);
  widenedTextCache.set(columns, byText.set(text, widenedText));
  return widenedText;
}

export function poolFor(atReplica: AtReplica | undefined): Sequelize {
  if (!atReplica) return sequelize;
  if (!replicaPool) throw new Error('There is no replica.');
  return replicaPool;
}

/**
 * Adds the replayed LSN to the preamble of a read from the replica. Later statements see at least this state, because
 * each takes a newer snapshot.
 */
export const preambleAt = (atReplica: AtReplica | undefined, preamble: Statement): Statement =>
  atReplica ? withColumns(preamble, REPLAYED) : preamble;

/**
 * Requires that the replica has replayed what the read needs.
 * @throws NotReplayed if it has not
 */
export function requireReplayed(atReplica: AtReplica | undefined, row: Row): void {
  if (!atReplica) return;
  const replayed = parseLsn(row?.['replayed']);
  if (replayed === null || replayed < atReplica.after) throw new NotReplayed();
}

export const limits = (statementMs: number, requester?: Requester): Limits => ({
  statementMs,
  lockMs: lockTimeout(requester),
});

/**
 * Acquires a pooled connection. The caller holds a slot of the connection quota, which is released if no connection
 * becomes available.
 * @param releaseSlot releases the slot
 */
export async function connectionOf(pool: Sequelize, releaseSlot: Release): Promise<PooledConnection> {
  try {
    return await acquireConnection(pool);
  } catch (error) {
    releaseSlot();
    throw error;
  }
}

async function commit(transaction: OpenTransaction): Promise<void> {
  const answer = await transaction.connection.query('COMMIT');
  // If a transaction has failed, Postgres answers COMMIT with ROLLBACK instead of an error.
  if (answer.command !== 'COMMIT') throw new Error('The transaction had failed before it was committed.');
}

async function rollback(connection: pg.Client, reason: unknown): Promise<void> {
  try {
    if (hasNoAnswer(reason)) throw reason;
    await runWithTimeout(connection, 'ROLLBACK');
  } catch {
    discard(connection);
  }
}

/**
 * Closes a broken or hung connection, which ends its transaction. Otherwise the pool would hand the connection out
 * again.
 */
export function discard(connection: pg.Client): void {
  connection.end().catch(() => undefined);
}

/**
 * Runs a statement that waits for no lock, with a short timeout.
 * @throws Error when the database does not respond in time
 */
function runWithTimeout(connection: pg.Client, text: string) {
  const bounded = { text, query_timeout: PREAMBLE_TIMEOUT_MS };
  return connection.query(bounded as pg.QueryConfig);
}
