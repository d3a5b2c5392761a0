import { currentScope, openConnection } from './connection.js';
import { markCommitted } from './sequelizeInternals.js';
import type { Statement } from './rows.js';
import { sendPipelined } from './pipeline.js';

/** Time limit for a response. Longer than any statement timeout, so a database that has sent nothing by then hangs. */
export const RESPONSE_TIMEOUT_MS = 30_000;

/**
 * Runs one prepared statement in the current transaction and returns its rows, like `rows`. Use it for large, frequent
 * statements for which one plan suits all values.
 */
export async function queryPrepared<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const [result] = await sendPipelined(openConnection(), [{ text, values, prepared: true }], RESPONSE_TIMEOUT_MS);
  return result as Row[];
}

/**
 * SQL that makes prepared statements use their generic plan. Without it, Postgres plans a statement anew on each call
 * when it expects a plan for the actual values to be cheaper.
 */
export const SET_GENERIC_PLAN = `set_config('plan_cache_mode', 'force_generic_plan', true)`;
export const FORCE_GENERIC_PLAN: Statement = { text: `SELECT ${SET_GENERIC_PLAN}`, values: [], prepared: true };

/**
 * Runs one prepared statement with its generic plan. Prepared statements that follow in the same transaction also use
 * their generic plans.
 */
export async function queryGenericPlan<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const statements = [FORCE_GENERIC_PLAN, { text, values, prepared: true }];
  return (await sendPipelined(openConnection(), statements, RESPONSE_TIMEOUT_MS))[1] as Row[];
}

/** Runs several prepared statements in one pipeline. @returns the rows of each */
export const pipelinePrepared = (
  statements: readonly Omit<Statement, 'prepared'>[],
): Promise<Record<string, unknown>[][]> =>
  sendPipelined(
    openConnection(),
    statements.map((statement) => ({ ...statement, prepared: true })),
    RESPONSE_TIMEOUT_MS,
  );

const COMMIT: Statement = { text: 'COMMIT', values: [], prepared: true };

/**
 * Runs the last prepared statement of a request together with COMMIT in one round trip. Further statements of the
 * request fail, because the transaction has ended.
 */
export async function queryAndCommit<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const [result] = await pipelineAndCommit([{ text, values }]);
  return result as Row[];
}

/** Runs several prepared statements and COMMIT in one round trip. @returns the rows of each */
export async function pipelineAndCommit(
  statements: readonly Omit<Statement, 'prepared'>[],
): Promise<Record<string, unknown>[][]> {
  const prepared = statements.map((statement) => ({ ...statement, prepared: true }));
  const results = await sendPipelined(openConnection(), [...prepared, COMMIT], RESPONSE_TIMEOUT_MS);
  markCommitted(currentScope().transaction);
  return results;
}
