/** Hand-written SQL on the open transaction: for hot reads and set-based writes. */
import { currentScope, openConnection } from './connection.js';

/** SQL with `$1…` for its values. */
export interface Statement {
  text: string;
  values: readonly unknown[];
  /** Whether to run it as a prepared statement, because it is frequent. */
  kept?: boolean;
}

/** A throttle to count in an operation that does not know throttles. */
export interface Spending {
  statement: Statement;
  /** @param row result of the statement. @throws Refusal throttled */
  requireLeft: (row: Record<string, unknown>) => void;
}

/** Runs one statement with `$1…` bound. @returns its rows, columns as Postgres names them. */
export async function rows<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const answer = await openConnection().query(text, values as unknown[]);
  return answer.rows as Row[];
}

/** The first row of one statement, or null. */
export async function firstRow<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row | null> {
  return (await rows<Row>(text, values))[0] ?? null;
}

/** The first row as JSON, in the form of lists (times as ISO text), or null. */
export async function firstJson<Row>(query: string, values: readonly unknown[]): Promise<Row | null> {
  return (await firstRow<{ row: Row }>(`SELECT to_json(found) AS row FROM (${query}) found`, values))?.row ?? null;
}

/** The first row of a statement that always returns one. */
export async function oneRow<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[] = [],
): Promise<Row> {
  const row = await firstRow<Row>(text, values);
  if (row === null) throw new Error('A statement that always has a row had none.');
  return row;
}

/** The tenant of the open transaction. @throws Error without one */
export function currentOrganization(): string {
  const { organizationId } = currentScope();
  if (!organizationId) throw new Error('This operation needs a tenant.');
  return organizationId;
}
