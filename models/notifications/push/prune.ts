/** Deletes old notifications and push records of all organizations. Each batch is one statement. */
import { config } from '../../../config.js';
import { oneRow } from '../../database/rows.js';
import { log } from '../../log.js';

/**
 * Deletes push records that are older than their retention.
 * @returns the number of deleted records
 */
export async function prunePushRecords(limit: number): Promise<number> {
  const days = config.PUSH_DELIVERY_RECORD_RETENTION_DAYS;
  if (days === 0) return 0;
  const { deleted } = await oneRow<{ deleted: number }>(
    `SELECT app.prune_push_records(now() - $1 * interval '1 day', $2) AS deleted`,
    [days, limit],
  );
  if (deleted > 0) log.info({ deleted, days }, 'old records of pushes were deleted');
  return deleted;
}

/**
 * Deletes notifications that are older than a year, with their mails and digests.
 * @returns the number of deleted notifications
 */
export async function pruneNotifications(limit: number): Promise<number> {
  const { deleted } = await oneRow<{ deleted: number }>('SELECT app.prune_notifications($1) AS deleted', [limit]);
  if (deleted > 0) log.info({ deleted }, 'old notifications were deleted');
  return deleted;
}
