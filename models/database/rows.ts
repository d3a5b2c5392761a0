/** Runs hand-written SQL in the current transaction, for frequent reads and for writes of many rows. */
import { currentScope, openConnection } from './connection.js';

/** SQL with `$1…` for its values. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Whether to prepare the statement, because it is frequent. */
  prepared?: boolean;
}

/**
 * The statement that counts a request against a throttle, and the check of its result. An operation can send this
 * statement together with its own ones, and need not know which throttle it belongs to.
 */
export interface ThrottleHit {
  statement: Statement;
  /**
   * Checks the count.
   * @param row the row that the statement returned
   * @throws Refusal throttled
   */
  requireBudget: (row: Record<string, unknown>) => void;
}

/** Runs one statement with `$1…` bound. @returns its rows, columns as Postgres names them. */
export async function rows<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const answer = await openConnection().query(text, values as unknown[]);
  return answer.rows as Row[];
}

/** Runs one statement. @returns its first row, or null */
export async function firstRow<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | null> {
  return (await rows<Row>(text, values))[0] ?? null;
}

/**
 * Runs one query.
 * @returns its first row as JSON, with times as ISO text as in list pages, or null
 */
export async function firstJson<Row>(query: string, values: readonly unknown[]): Promise<Row | null> {
  return (await firstRow<{ row: Row }>(`SELECT to_json(found) AS row FROM (${query}) found`, values))?.row ?? null;
}

/** Runs one statement that always returns a row. @returns its first row. @throws Error without one */
export async function oneRow<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row> {
  const row = await firstRow<Row>(text, values);
  if (row === null) throw new Error('A statement that must return a row returned none.');
  return row;
}

/**
 * Returns the tenant of the current transaction.
 * @throws Error if it has none
 */
export function currentOrganization(): string {
  const { organizationId } = currentScope();
  if (!organizationId) throw new Error('This operation needs a transaction with a tenant: use inTenant().');
  return organizationId;
}
