/** Deletes dispatched intents after a week; until then they show how a process was started. */
import { rows } from './rows.js';
import { inPlatform } from './tenancy.js';

const KEPT = '7 days';
const BATCH = 1_000;

/** Deletes old dispatched rows in short transactions; waiting rows stay for ever. @returns their number */
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
