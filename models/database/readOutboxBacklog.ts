import { auxiliaryPool } from './auxiliaryPool.js';

export interface OutboxBacklog {
  /** Number of committed intents that are not dispatched yet. */
  waiting: number;
  /** Age of the oldest; 0 without one. */
  oldestSeconds: number;
}

// A partial index on rows that are not dispatched keeps this fast, even if many rows were dispatched.
const BACKLOG = `
  SELECT count(*)::int AS waiting,
         coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM outbox WHERE dispatched_at IS NULL`;

export async function readOutboxBacklog(): Promise<OutboxBacklog> {
  const { rows } = await auxiliaryPool().query<OutboxBacklog>(BACKLOG);
  return rows[0] ?? { waiting: 0, oldestSeconds: 0 };
}
