import { currentScope, openConnection } from './connection.js';
import { hasCommitted } from './insides.js';
import type { Statement } from './rows.js';
import { together } from './together.js';

/** Longer than any statement timeout: a database that sends nothing for so long hangs. */
export const SILENCE_MS = 30_000;

/**
 * Runs a statement as `rows` does, as a prepared statement: for large, frequent statements that a generic plan
 * serves.
 */
export async function keptRows<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const [found] = await together(openConnection(), [{ text, values, kept: true }], SILENCE_MS);
  return found as Row[];
}

/** Without it Postgres plans anew on each call whenever it expects a plan for the given values to be cheaper. */
export const GENERIC = `set_config('plan_cache_mode', 'force_generic_plan', true)`;
export const GENERIC_PLAN: Statement = { text: `SELECT ${GENERIC}`, values: [], kept: true };

/** As `keptRows`, always on the generic plan. Later kept statements of the transaction are run on theirs, too. */
export async function genericRows<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const statements = [GENERIC_PLAN, { text, values, kept: true }];
  return (await together(openConnection(), statements, SILENCE_MS))[1] as Row[];
}

/** Runs several prepared statements in one pipeline. @returns the rows of each */
export const keptRowsOf = (statements: readonly Omit<Statement, 'kept'>[]): Promise<Record<string, unknown>[][]> =>
  together(
    openConnection(),
    statements.map((statement) => ({ ...statement, kept: true })),
    SILENCE_MS,
  );

const COMMIT: Statement = { text: 'COMMIT', values: [], kept: true };

/**
 * Runs a request's last prepared statement and COMMIT in one round trip. Later statements of the request find no
 * transaction.
 */
export async function lastRows<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const [found] = await lastRowsOf([{ text, values }]);
  return found as Row[];
}

/** Runs several prepared statements and COMMIT in one round trip. @returns the rows of each */
export async function lastRowsOf(statements: readonly Omit<Statement, 'kept'>[]): Promise<Record<string, unknown>[][]> {
  const kept = statements.map((statement) => ({ ...statement, kept: true }));
  const found = await together(openConnection(), [...kept, COMMIT], SILENCE_MS);
  hasCommitted(currentScope().transaction);
  return found;
}
