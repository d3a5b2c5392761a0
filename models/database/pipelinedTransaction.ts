/**
 * Runs whole transactions in one round trip. A pipeline is an implicit transaction and needs neither BEGIN nor COMMIT
 * (`pipeline.ts`).
 */
import { hasNoAnswer } from './constraints.js';
import { sequelize } from './connection.js';
import { releaseConnection } from './sequelizeInternals.js';
import type { Sequelize } from 'sequelize';
import { SET_GENERIC_PLAN, FORCE_GENERIC_PLAN, RESPONSE_TIMEOUT_MS } from './preparedQuery.js';
import { type Requester, acquireConnectionSlot } from './connectionQuota.js';
import type { Statement } from './rows.js';
import type { Release } from './fairSemaphore.js';
import {
  type AtReplica,
  connectionOf,
  discard,
  tenantPreamble,
  limits,
  type TransactionPreamble,
  PREAMBLE_TIMEOUT_MS,
  preambleAt,
  poolFor,
  requireReplayed,
  type Row,
  platformPreamble,
  STATEMENT_TIMEOUT_MS,
  withColumns,
} from './tenancy.js';
import { isStalePlan, sendPipelined } from './pipeline.js';

/**
 * Time limit of a read that is sent together with its authorization check, before the result of that check is known.
 */
const SHORT_READ_MS = 4_000;
/** SQL column that makes Postgres refuse every write in the rest of the transaction, as BEGIN READ ONLY does. */
const READ_ONLY = `set_config('transaction_read_only', 'on', true)`;
const READ_ONLY_GENERIC_PLAN = `${READ_ONLY}, ${SET_GENERIC_PLAN}`;

/**
 * Runs a read-only transaction in one round trip: the preamble of `inTransaction`, then one statement. Saves the two
 * statements BEGIN and COMMIT. The caller must check the preamble's row for authorization before it uses the result.
 * For quick reads only: Postgres cancels the statement after 4 s (57014).
 */
export async function readPipelined(
  preamble: TransactionPreamble,
  statement: Statement,
  requester?: Requester,
  atReplica?: AtReplica,
): Promise<[Row, Row]> {
  const preambleStatement = preambleAt(atReplica, readOnlyPreamble(preamble, statement, requester));
  const slot = acquireConnectionSlot(null, requester);
  const results = await runPipelined([preambleStatement, statement], slot, { pool: poolFor(atReplica) });
  const [preambleRow, row] = results.map(([first]) => first) as [Row, Row];
  requireReplayed(atReplica, preambleRow);
  return [preambleRow, row];
}

/** Builds the preamble of a read in one round trip. */
const readOnlyPreamble = (preamble: TransactionPreamble, { prepared }: Statement, requester?: Requester): Statement =>
  withColumns(preamble(limits(SHORT_READ_MS, requester)), prepared ? READ_ONLY_GENERIC_PLAN : READ_ONLY);

/** Reads from platform tables in one round trip, without a tenant. @returns the first row */
export const readPlatformRow = async (statement: Statement): Promise<Row> =>
  (await readPipelined(platformPreamble, statement))[1];

/**
 * Runs a look-up by key without a connection quota: it waits for no lock and takes almost no time. @returns the first
 * row
 */
export async function queryUnmetered(statement: Statement): Promise<Row> {
  const noSlot = Promise.resolve(() => undefined);
  return (await runPipelined([FORCE_GENERIC_PLAN, statement], noSlot))[1]?.[0];
}

/**
 * Runs all statements of a transaction in a tenant in one round trip; all take effect, or none. For frequent writes of
 * the worker. @returns the rows of each statement
 */
export const writePipelined = (organizationId: string, statements: readonly Statement[]): Promise<Row[][]> =>
  runWithPreamble(tenantPreamble(organizationId), statements, organizationId);

/**
 * Runs all statements of a transaction on platform tables in one round trip, without a tenant. @returns the rows of
 * each statement
 */
export const runPlatformPipelined = (statements: readonly Statement[]): Promise<Row[][]> =>
  runWithPreamble(platformPreamble, statements, null);

async function runWithPreamble(
  preamble: TransactionPreamble,
  statements: readonly Statement[],
  tenant: string | null,
): Promise<Row[][]> {
  const preambleStatement = preamble(limits(STATEMENT_TIMEOUT_MS));
  const results = await runPipelined([preambleStatement, ...statements], acquireConnectionSlot(tenant), {
    timeoutMs: RESPONSE_TIMEOUT_MS,
  });
  return results.slice(1);
}

const isFatal = (error: unknown): boolean => (error as { severity?: string }).severity === 'FATAL';

interface PipelineOptions {
  /** Time limit for the server's response. */
  timeoutMs?: number;
  pool?: Sequelize;
}

/** Sends a pipeline on a pooled connection. @param slot resolves when the quota allows a connection */
async function runPipelined(
  statements: readonly Statement[],
  slot: Promise<Release>,
  { timeoutMs = PREAMBLE_TIMEOUT_MS, pool = sequelize }: PipelineOptions = {},
): Promise<Row[][]> {
  const releaseSlot = await slot;
  const connection = await connectionOf(pool, releaseSlot);
  try {
    const send = () => sendPipelined(connection, statements, timeoutMs);
    return await send().catch((error: unknown) => (isStalePlan(error) ? send() : Promise.reject(error)));
  } catch (error) {
    // Postgres rolls back a failed pipeline itself. The connection is discarded if it did not answer in time or was
    // closed by Postgres.
    if (hasNoAnswer(error) || isFatal(error)) discard(connection);
    throw error;
  } finally {
    releaseConnection(pool, connection);
    releaseSlot();
  }
}
