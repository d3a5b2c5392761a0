/** Counts the messages that requests send to Postgres while something runs. */
import pg from 'pg';

interface Connection {
  connectionParameters: { application_name?: string };
}
type Query = (this: Connection, ...values: unknown[]) => unknown;

/**
 * @returns how many queries the pool of requests and steps sent meanwhile. The small pool apart from it flushes the
 *   counters of throttles by the clock, whatever is being measured.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  let count = 0;
  prototype.query = function counted(this: Connection, ...values: unknown[]) {
    if (this.connectionParameters.application_name !== 'membership-direct') count += 1;
    return original.apply(this, values);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}
