/** Counts the messages that reach Postgres while something runs. */
import pg from 'pg';

type Query = (...values: unknown[]) => unknown;

/** @returns how many queries this process sent meanwhile */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const original = pg.Client.prototype.query as unknown as Query;
  let count = 0;
  pg.Client.prototype.query = function counted(this: unknown, ...values: unknown[]) {
    count += 1;
    return original.apply(this, values);
  } as never;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original as never;
  }
  return count;
}
