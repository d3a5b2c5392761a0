import { currentScope, openConnection } from './connection.js';
import { hasCommitted } from './insides.js';
import type { Statement } from './rows.js';
import { together } from './together.js';

/** Longer than any statement may take: a database that is silent for so long hangs. */
export const SILENCE_MS = 30_000;

/** As `rows`, on a plan that is kept: for a large statement that is run over and over, and right on a generic plan. */
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

/** As `keptRows`, several statements in one message. @returns the rows of each */
export const keptRowsOf = (statements: readonly Omit<Statement, 'kept'>[]): Promise<Record<string, unknown>[][]> =>
  together(
    openConnection(),
    statements.map((statement) => ({ ...statement, kept: true })),
    SILENCE_MS,
  );

const COMMIT: Statement = { text: 'COMMIT', values: [], kept: true };

/**
 * As `keptRows`, in one message with COMMIT: for a request whose last statement it is, and which is asked often enough for a
 * round trip to count. What comes after it in the same request finds no transaction any more.
 */
export async function lastRows<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const [found] = await lastRowsOf([{ text, values }]);
  return found as Row[];
}

/** As `lastRows`, several statements. @returns the rows of each */
export async function lastRowsOf(statements: readonly Omit<Statement, 'kept'>[]): Promise<Record<string, unknown>[][]> {
  const kept = statements.map((statement) => ({ ...statement, kept: true }));
  const found = await together(openConnection(), [...kept, COMMIT], SILENCE_MS);
  hasCommitted(currentScope().transaction);
  return found;
}
