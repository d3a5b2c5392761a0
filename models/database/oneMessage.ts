/** Whole transactions in one round trip: an implicit transaction needs neither BEGIN nor COMMIT (`together.ts`). */
import { hasNoAnswer } from './constraints.js';
import { sequelize } from './connection.js';
import { returnConnection } from './insides.js';
import type { Sequelize } from 'sequelize';
import { GENERIC, GENERIC_PLAN, SILENCE_MS } from './keptRows.js';
import { type Requester, takeShare } from './requests.js';
import type { Statement } from './rows.js';
import type { Release } from './shares.js';
import {
  type AtReplica,
  connectionOf,
  discard,
  inTenantOf,
  limits,
  type Opening,
  OPENING_TIMEOUT_MS,
  openingAt,
  poolFor,
  requireReplayed,
  type Row,
  settings,
  STATEMENT_TIMEOUT_MS,
  withColumns,
} from './tenancy.js';
import { isOutlived, together } from './together.js';

/** Time limit of a read that is sent before it is authorized. */
export const SHORT_READ_MS = 4_000;
/** From here on Postgres refuses every write, as after BEGIN READ ONLY. */
const READ_ONLY = `set_config('transaction_read_only', 'on', true)`;
const ON_KEPT_PLAN = `${READ_ONLY}, ${GENERIC}`;

/**
 * Runs a read-only transaction in one round trip: the preamble of `inTransaction`, then one statement. BEGIN and
 * COMMIT would be two more statements. For a read whose authorization is checked with the preamble's result. For
 * quick reads only: Postgres cancels after 4 s (57014).
 */
export async function readInOneMessage(
  opening: Opening,
  statement: Statement,
  requester?: Requester,
  atReplica?: AtReplica,
): Promise<[Row, Row]> {
  const opened = openingAt(atReplica, openedForReading(opening, statement, requester));
  const share = takeShare(null, requester);
  const results = await inOneMessage(of([opened, statement]), share, poolFor(atReplica));
  const [openingRow, row] = results.map(([first]) => first) as [Row, Row];
  requireReplayed(atReplica, openingRow);
  return [openingRow, row];
}

/** Preamble of a read in one round trip. */
export const openedForReading = (opening: Opening, { kept }: Statement, requester?: Requester): Statement =>
  withColumns(opening(limits(SHORT_READ_MS, requester)), kept ? ON_KEPT_PLAN : READ_ONLY);

/**
 * Runs a writing transaction in one round trip: the preamble of `inTransaction`, then one statement, which finds no
 * rows unless the preamble authorizes it.
 */
export async function changeInOneMessage(
  opening: Opening,
  statement: Statement,
  requester: Requester,
): Promise<[Row, Row]> {
  const opened = withColumns(opening(limits(SHORT_READ_MS, requester)), GENERIC);
  const results = await inOneMessage(of([opened, statement]), takeShare(null, requester));
  return results.map(([first]) => first) as [Row, Row];
}

/** Reads from platform tables in one round trip, without a tenant. @returns the first row */
export const readInPlatform = async (statement: Statement): Promise<Row> =>
  (await readInOneMessage(settings, statement))[1];

/**
 * Runs a look-up by key outside of every connection quota, because it waits for nothing and takes no time. @returns
 * the first row
 */
export async function lookUp(statement: Statement): Promise<Row> {
  const nobodys = Promise.resolve(() => undefined);
  return (await inOneMessage(of([GENERIC_PLAN, statement]), nobodys))[1]?.[0];
}

/**
 * Runs a whole transaction in a tenant in one round trip, all of its statements or none: for frequent writes of the
 * worker. @returns the rows of each
 */
export const writeInOneMessage = (organizationId: string, statements: readonly Statement[]): Promise<Row[][]> =>
  openedInOneMessage(inTenantOf(organizationId), statements, organizationId);

/** Runs a whole transaction on platform tables in one round trip, without a tenant. */
export const inPlatformInOneMessage = (statements: readonly Statement[]): Promise<Row[][]> =>
  openedInOneMessage(settings, statements, null);

async function openedInOneMessage(
  opening: Opening,
  statements: readonly Statement[],
  tenant: string | null,
): Promise<Row[][]> {
  const opened = opening(limits(STATEMENT_TIMEOUT_MS));
  const results = await inOneMessage(of([opened, ...statements], SILENCE_MS), takeShare(tenant));
  return results.slice(1);
}

const isFatal = (error: unknown): boolean => (error as { severity?: string }).severity === 'FATAL';

interface Message {
  statements: readonly Statement[];
  /** Response timeout of the server. */
  timeoutMs: number;
}

const of =
  (statements: readonly Statement[], timeoutMs = OPENING_TIMEOUT_MS) =>
  (): Message => ({ statements, timeoutMs });

/** @param message called when there is a connection to send it on */
export async function inOneMessage(
  message: () => Message,
  share: Promise<Release>,
  pool: Sequelize = sequelize,
): Promise<Row[][]> {
  const giveBack = await share;
  const connection = await connectionOf(pool, giveBack);
  try {
    const { statements, timeoutMs } = message();
    const ask = () => together(connection, statements, timeoutMs);
    return await ask().catch((error: unknown) => (isOutlived(error) ? ask() : Promise.reject(error)));
  } catch (error) {
    // Postgres has rolled back a failed transaction, unless it did not answer; a connection that it closed is not
    // reused.
    if (hasNoAnswer(error) || isFatal(error)) discard(connection);
    throw error;
  } finally {
    returnConnection(pool, connection);
    giveBack();
  }
}
