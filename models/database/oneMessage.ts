/** Whole transactions that are one message to Postgres: an implicit one needs neither BEGIN nor COMMIT (`together.ts`). */
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

/** A read that nobody has permitted yet gets no more than this. */
export const SHORT_READ_MS = 4_000;
/** From there on Postgres refuses every write, as after BEGIN READ ONLY. */
const READ_ONLY = `set_config('transaction_read_only', 'on', true)`;
const ON_KEPT_PLAN = `${READ_ONLY}, ${GENERIC}`;

/**
 * One whole read-only transaction in one message: opened as by `inTransaction`, then one statement. BEGIN and COMMIT would
 * be two statements more. For a read that is known before the opening is answered; whether it may be shown is decided
 * afterwards. Meant for quick ones: after 4 s Postgres gives up (57014).
 * @param requester whose request it is, where it is not said by running within `asRequestOf`
 * @returns the first row of the opening statement and that of the other
 * @throws NotReplayed
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

/** What such a read begins with. */
export const openedForReading = (opening: Opening, { kept }: Statement, requester?: Requester): Statement =>
  withColumns(opening(limits(SHORT_READ_MS, requester)), kept ? ON_KEPT_PLAN : READ_ONLY);

/**
 * One whole transaction in one message that changes something: opened as by `inTransaction`, then one statement, for a change
 * that the opening itself lets through or keeps from finding anything.
 * @returns the first row of the opening statement and that of the other
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

/** The same without a tenant, for what anybody asks for. @returns the first row */
export const readInPlatform = async (statement: Statement): Promise<Row> =>
  (await readInOneMessage(settings, statement))[1];

/** Look-ups by keys, which wait for nothing and take no time: they go alone, and are of no tenant's share. @returns the first row */
export async function lookUp(statement: Statement): Promise<Row> {
  const nobodys = Promise.resolve(() => undefined);
  return (await inOneMessage(of([GENERIC_PLAN, statement]), nobodys))[1]?.[0];
}

/**
 * One whole transaction in a tenant in one message, all of its statements or none: for what a worker writes over and over,
 * on its own account. @returns the rows of each
 */
export const writeInOneMessage = (organizationId: string, statements: readonly Statement[]): Promise<Row[][]> =>
  openedInOneMessage(inTenantOf(organizationId), statements, organizationId);

/** The same without a tenant: of platform tables alone. */
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
  /** How long the server may be silent. */
  timeoutMs: number;
}

const of =
  (statements: readonly Statement[], timeoutMs = OPENING_TIMEOUT_MS) =>
  (): Message => ({ statements, timeoutMs });

/** @param message asked for when there is a connection to send it on */
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
    // Postgres has rolled back what failed. Not where it did not say so; and one that it ends goes to nobody else.
    if (hasNoAnswer(error) || isFatal(error)) discard(connection);
    throw error;
  } finally {
    returnConnection(pool, connection);
    giveBack();
  }
}
