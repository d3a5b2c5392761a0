/** What is old goes, of all organizations; each batch is one statement. */
import { config } from '../../../config.js';
import { oneRow } from '../../database/rows.js';
import { log } from '../../log.js';

/** Deletes records of pushes that are older than they are kept for. @returns how many */
export async function prunePushRecords(most: number): Promise<number> {
  const days = config.PUSH_DELIVERY_RECORD_RETENTION_DAYS;
  if (days === 0) return 0;
  const { deleted } = await oneRow<{ deleted: number }>(
    `SELECT app.prune_push_records(now() - $1 * interval '1 day', $2) AS deleted`,
    [days, most],
  );
  if (deleted > 0) log.info({ deleted, days }, 'old records of pushes were deleted');
  return deleted;
}

/** Deletes what people were told more than a year ago, with its mails and digests. @returns how many */
export async function pruneNotifications(most: number): Promise<number> {
  const { deleted } = await oneRow<{ deleted: number }>('SELECT app.prune_notifications($1) AS deleted', [most]);
  if (deleted > 0) log.info({ deleted }, 'old notifications were deleted');
  return deleted;
}
