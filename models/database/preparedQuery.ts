import { currentScope, openConnection } from './connection.js';
import { markCommitted } from './sequelizeInternals.js';
import type { Statement } from './rows.js';
import { sendPipelined } from './pipeline.js';

/** Longer than any statement timeout: a database that sends nothing for this long hangs. */
export const RESPONSE_TIMEOUT_MS = 30_000;

/**
 * Runs one prepared statement and returns its rows, like `rows`. For large, frequent statements that a generic plan
 * serves.
 */
export async function queryPrepared<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const [result] = await sendPipelined(openConnection(), [{ text, values, prepared: true }], RESPONSE_TIMEOUT_MS);
  return result as Row[];
}

/**
 * Forces the generic plan. Without it, Postgres makes a new plan on each call when it expects a custom plan to be
 * cheaper.
 */
export const SET_GENERIC_PLAN = `set_config('plan_cache_mode', 'force_generic_plan', true)`;
export const FORCE_GENERIC_PLAN: Statement = { text: `SELECT ${SET_GENERIC_PLAN}`, values: [], prepared: true };

/**
 * Runs one prepared statement with its generic plan. Later prepared statements of the transaction use their generic
 * plans too.
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
 * Runs a request's last prepared statement and COMMIT in one round trip. Later statements of the request find no
 * transaction.
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
