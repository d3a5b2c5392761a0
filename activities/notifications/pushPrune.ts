/** Deletes old records in short transactions. A second run deletes the next ones. */
import { inPlatform } from '../../models/database/tenancy.js';
import { pruneNotifications, prunePushRecords } from '../../models/notifications/push/prune.js';

const BATCH = 5_000;

/** @returns whether there may be more */
export const pruneNextBatch = async (): Promise<boolean> => {
  const records = await inPlatform(() => prunePushRecords(BATCH));
  const notifications = await inPlatform(() => pruneNotifications(BATCH));
  return records === BATCH || notifications >= BATCH;
};
