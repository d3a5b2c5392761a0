/** Dispatched intents are kept for a week, for whoever asks how a process came about. */
import { rows } from './rows.js';
import { inPlatform } from './tenancy.js';

const KEPT = '7 days';
const BATCH = 1_000;

/** Deletes old dispatched rows, a short transaction at a time; rows that wait stay for ever. @returns how many */
export async function pruneOutbox(): Promise<number> {
  for (let deleted = 0; ; ) {
    const gone = await inPlatform(() =>
      rows(
        `DELETE FROM outbox WHERE id = ANY(ARRAY(
           SELECT id FROM outbox WHERE dispatched_at < now() - $1::interval
            ORDER BY dispatched_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED))
         RETURNING 1`,
        [KEPT],
      ),
    );
    deleted += gone.length;
    if (gone.length < BATCH) return deleted;
  }
}
