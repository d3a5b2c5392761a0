/** Transactions with a tenant. Outside of them row level security shows no rows. */
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
  takeConnection,
  transactionOn,
} from './insides.js';
import { type Position, positionIn, REPLAYED } from './positions.js';
import { lockTimeout, type Requester, takeShare } from './requests.js';
import { rows, type Statement } from './rows.js';
import type { Release } from './shares.js';
import { isOutlived, together } from './together.js';

/** A statement that waits longer, for example for a lock, is cancelled and frees its connection. */
export const STATEMENT_TIMEOUT_MS = 25_000;
/** BEGIN, tenant and actor take milliseconds: a database that has not answered by then hangs. */
export const OPENING_TIMEOUT_MS = 5_000;
/** All times are UTC, whatever the server's own zone. */
const SETTINGS = `SELECT set_config('statement_timeout', $1, true), set_config('lock_timeout', $2, true),
                         set_config('timezone', 'UTC', true)`;
export const settings = ({ statementMs, lockMs }: Limits): Statement => ({
  text: SETTINGS,
  values: [statementMs, lockMs],
  kept: true,
});

/** Statement timeout, and lock timeout within it (0: none). */
export interface Limits {
  statementMs: number;
  lockMs: number;
}

/**
 * Preamble of a transaction: a SELECT of one row that sets statement_timeout, lock_timeout, timezone and the tenant.
 * Columns can be added in front of its own.
 */
export type Opening = (limits: Limits) => Statement;

export const inTenantOf =
  (organizationId: string): Opening =>
  (limits) =>
    withColumns(settings(limits), `set_config('app.organization_id', $3, true)`, organizationId);

const NOBODY: Origin = { userId: null, requestId: null, ipAddress: null };

export interface TransactionOptions {
  /** Postgres itself then refuses every write, with SQLSTATE 25006. */
  readOnly?: boolean;
  /** For reads only: use the replica. Absent: the primary. */
  atReplica?: AtReplica | undefined;
  origin?: Origin;
  /** Receives the ids of the outbox rows that the committed transaction wrote. */
  afterCommit?: (outboxIds: string[]) => void;
}

/** A read from the replica. */
export interface AtReplica {
  /** Position that it must have replayed. */
  after: Position;
}

/** The replica has not replayed the required position, or is no longer a replica: its result is discarded. */
export class NotReplayed extends Error {
  constructor() {
    super('The replica has not replayed what this read is to see.');
  }
}

export type Row = Record<string, unknown> | undefined;

/**
 * Runs `work` in one transaction that sees and writes only this organization's rows.
 * @param organizationId the tenant's UUID
 */
export function inTenant<T>(organizationId: string, work: () => Promise<T>, options: TransactionOptions = {}) {
  return inTransaction(inTenantOf(organizationId), options, () => organizationId, work, organizationId);
}

/** Runs `work` in one transaction without a tenant: only the platform tables (`platformTables.ts`) have rows in it. */
export function inPlatform<T>(work: () => Promise<T>, options: TransactionOptions = {}) {
  return inTransaction(settings, options, () => null, work);
}

/**
 * Runs `work` with another tenant within the open transaction: for a change to a person that several organizations
 * record, all or none. A failure fails the whole transaction.
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
 * Runs `work` in one transaction whose preamble travels with BEGIN, so that authentication, tenant and transaction
 * cost one round trip.
 */
export async function inTransaction<T>(
  opening: Opening,
  options: TransactionOptions,
  tenantOf: (row: Row) => string | null,
  work: (openingRow: Row) => Promise<T>,
  tenant: string | null = null,
): Promise<T> {
  const giveBack = await takeShare(tenant);
  const { origin = NOBODY, afterCommit, atReplica } = options;
  const pool = poolFor(atReplica);
  const transaction = transactionOn(pool, await connectionOf(pool, giveBack));
  const dispatches = afterCommit !== undefined;
  const scope: Scope = { transaction, organizationId: null, origin, enqueued: [], announced: [], dispatches };
  const release = () => {
    closeTransaction(transaction);
    giveBack();
  };
  let result: T;
  try {
    const opened = openingAt(atReplica, opening(limits(STATEMENT_TIMEOUT_MS)));
    const row = await begin(transaction.connection, opened, options.readOnly || atReplica !== undefined);
    requireReplayed(atReplica, row);
    scope.organizationId = tenantOf(row);
    result = await withScope(scope, () => work(row));
    if (isOpen(transaction)) await commit(transaction);
  } catch (error) {
    await rollback(transaction.connection, error);
    release();
    // A GET that writes is a fault of our code; elsewhere the same SQLSTATE means a read-only server.
    if (options.readOnly && sqlStateOf(error) === '25006') throw new Error('A read tried to write.', { cause: error });
    throw error;
  }
  release();
  if (scope.enqueued.length > 0) afterCommit?.(scope.enqueued);
  if (scope.announced.length > 0) void sendAnnouncements(scope.announced);
  return result;
}

const BEGIN: Record<'write' | 'read', Statement> = {
  write: { text: 'BEGIN', values: [], kept: true },
  read: { text: 'BEGIN READ ONLY', values: [], kept: true },
};

/** @returns the preamble's first row */
async function begin(connection: pg.Client, opening: Statement, readOnly = false): Promise<Row> {
  const statements = [BEGIN[readOnly ? 'read' : 'write'], opening];
  try {
    return (await together(connection, statements, OPENING_TIMEOUT_MS))[1]?.[0];
  } catch (error) {
    if (!isOutlived(error)) throw error;
    await promptly(connection, 'ROLLBACK');
    return (await together(connection, statements, OPENING_TIMEOUT_MS))[1]?.[0];
  }
}

/** @param added values of the columns; their numbers follow those of the statement */
export const withColumns = ({ text, values, kept }: Statement, columns: string, ...added: unknown[]): Statement => ({
  text: widened(text, columns),
  values: [...values, ...added],
  ...(kept && { kept }),
});

/** Memoizes rewritten texts, so that the hash of the statement name is not recomputed. */
const widenedTexts = new Map<string, Map<string, string>>();

function widened(text: string, columns: string): string {
  const alike = widenedTexts.get(columns) ?? new Map<string, string>();
  const known = alike.get(text);
  if (known !== undefined) return known;
  const made = text.replace(/^SELECT /, () => `SELECT ${columns}, `);
  widenedTexts.set(columns, alike.set(text, made));
  return made;
}

export function poolFor(atReplica: AtReplica | undefined): Sequelize {
  if (!atReplica) return sequelize;
  if (!replicaPool) throw new Error('There is no replica.');
  return replicaPool;
}

/**
 * Reads the replayed position in the preamble; later statements see at least that, since each takes a new snapshot.
 */
export const openingAt = (atReplica: AtReplica | undefined, opening: Statement): Statement =>
  atReplica ? withColumns(opening, REPLAYED) : opening;

/** @throws NotReplayed */
export function requireReplayed(atReplica: AtReplica | undefined, row: Row): void {
  if (!atReplica) return;
  const replayed = positionIn(row?.['replayed']);
  if (replayed === null || replayed < atReplica.after) throw new NotReplayed();
}

export const limits = (statementMs: number, requester?: Requester): Limits => ({
  statementMs,
  lockMs: lockTimeout(requester),
});

/** @param giveBack releases the quota slot when no connection is available */
export async function connectionOf(pool: Sequelize, giveBack: Release): Promise<PooledConnection> {
  try {
    return await takeConnection(pool);
  } catch (error) {
    giveBack();
    throw error;
  }
}

async function commit(transaction: OpenTransaction): Promise<void> {
  const answer = await transaction.connection.query('COMMIT');
  // Postgres answers the COMMIT of a failed transaction with ROLLBACK and no error.
  if (answer.command !== 'COMMIT') throw new Error('The transaction had failed before it was committed.');
}

async function rollback(connection: pg.Client, reason: unknown): Promise<void> {
  try {
    if (hasNoAnswer(reason)) throw reason;
    await promptly(connection, 'ROLLBACK');
  } catch {
    discard(connection);
  }
}

/** Discards a broken or hung connection with its transaction: otherwise the pool would hand it out again. */
export function discard(connection: pg.Client): void {
  connection.end().catch(() => undefined);
}

/** Runs a statement that never waits for a lock. @throws Error when the database does not answer */
function promptly(connection: pg.Client, text: string) {
  const bounded = { text, query_timeout: OPENING_TIMEOUT_MS };
  return connection.query(bounded as pg.QueryConfig);
}
