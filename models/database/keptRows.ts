import { currentScope } from './connection.js';
import { together } from './together.js';

/** Longer than any statement may take: a database that is silent for so long hangs. */
export const SILENCE_MS = 30_000;

/** As `rows`, on a plan that is kept: for a large statement that is run over and over, and right on a generic plan. */
export async function keptRows<Row = Record<string, unknown>>(
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const { connection } = currentScope().transaction;
  const [found] = await together(connection, [{ text, values, kept: true }], SILENCE_MS);
  return found as Row[];
}
