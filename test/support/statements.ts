/** Counts the messages that reach Postgres while something runs. */
import pg from 'pg';

type Query = (this: unknown, ...values: unknown[]) => unknown;

/** @returns how many queries this process sent meanwhile */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  let count = 0;
  prototype.query = function counted(this: unknown, ...values: unknown[]) {
    count += 1;
    return original.apply(this, values);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}
