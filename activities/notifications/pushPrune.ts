/** Deletes old push records and notifications in short transactions. Each run deletes the next batch. */
import { inPlatform } from '../../models/database/tenancy.js';
import { pruneNotifications, prunePushRecords } from '../../models/notifications/push/prune.js';

const BATCH = 5_000;

/**
 * Deletes one batch.
 * @returns whether there may be more
 */
export const pruneNextBatch = async (): Promise<boolean> => {
  const records = await inPlatform(() => prunePushRecords(BATCH));
  const notifications = await inPlatform(() => pruneNotifications(BATCH));
  return records === BATCH || notifications >= BATCH;
};
