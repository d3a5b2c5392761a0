/** Deletes outbox rows a week after their dispatch. Until then they show what started or signalled a process. */
import { rows } from './rows.js';
import { inPlatform } from './tenancy.js';

const RETENTION = '7 days';
const BATCH_SIZE = 1_000;

/**
 * Deletes old dispatched rows in short transactions; rows that are not dispatched are never deleted. @returns the
 * number of deleted rows
 */
export async function pruneOutbox(): Promise<number> {
  for (let deleted = 0; ; ) {
    const batch = await inPlatform(() =>
      rows(
        `DELETE FROM outbox WHERE id = ANY(ARRAY(
           SELECT id FROM outbox WHERE dispatched_at < now() - $1::interval
            ORDER BY dispatched_at LIMIT ${BATCH_SIZE} FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
        [RETENTION],
      ),
    );
    deleted += batch.length;
    if (batch.length < BATCH_SIZE) return deleted;
  }
}
