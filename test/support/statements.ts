/** Counts the messages that are sent to Postgres. */
import { AsyncLocalStorage } from 'node:async_hooks';
import diagnostics from 'node:diagnostics_channel';
import pg from 'pg';

interface Connection {
  connectionParameters: { application_name?: string };
}
type Query = (this: Connection, ...values: unknown[]) => unknown;

/** The measurement to which an asynchronous call chain belongs. */
const measured = new AsyncLocalStorage<symbol>();

/**
 * @returns the number of queries that `work` sent, itself or by requests to an API of this process; background work of earlier
 * requests is not counted. The auxiliary pool beside that of requests and steps flushes the counters of throttles on a timer.
 */
export async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  const own = Symbol('measured');
  let count = 0;
  prototype.query = function counted(this: Connection, ...values: unknown[]) {
    const isOwn = measured.getStore() === own;
    if (isOwn && this.connectionParameters.application_name !== 'membership-direct') count += 1;
    return original.apply(this, values);
  };
  const begins = () => measured.enterWith(own);
  diagnostics.subscribe('http.server.request.start', begins);
  try {
    await measured.run(own, work);
  } finally {
    diagnostics.unsubscribe('http.server.request.start', begins);
    prototype.query = original;
  }
  return count;
}
