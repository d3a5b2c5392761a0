/** Lists and counts the messages that are sent to Postgres. */
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
 * Messages of a dispatch: a request reads the processes that it has enqueued, and records that Temporal has accepted them. Both
 * happen beside the response, so a measurement contains none, one or both of them.
 */
const DISPATCH = /\bFROM outbox WHERE id = ANY\(\$1\) AND dispatched_at IS NULL|\bUPDATE outbox o SET\b/;

/** Counts the messages of `listStatements`. */
export const countStatements = async (work: () => Promise<unknown>): Promise<number> =>
  (await listStatements(work)).length;

/**
 * @returns the texts of the messages that `work` sent, itself or by requests to an API of this process, in their order.
 * A pipeline is one message. Background work of earlier requests is left out, and so are dispatches and the auxiliary
 * pool, which flushes the counters of throttles on a timer.
 */
export async function listStatements(work: () => Promise<unknown>): Promise<string[]> {
  const prototype = pg.Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  const own = Symbol('measured');
  const texts: string[] = [];
  prototype.query = function counted(this: Connection, ...values: unknown[]) {
    const isOwn = measured.getStore() === own;
    const [query] = values as [string | { text: string }];
    const text = typeof query === 'string' ? query : query.text;
    const isAuxiliary = this.connectionParameters.application_name === 'membership-direct';
    if (isOwn && !isAuxiliary && !DISPATCH.test(text)) texts.push(text);
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
  return texts;
}
