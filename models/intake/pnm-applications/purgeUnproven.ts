import { oneRow } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';

/**
 * Purges expired drafts, and versions whose mailbox was never confirmed, across all organizations. Each call purges one
 * batch.
 * @param batchSize maximum number of rows of each kind
 * @returns whether there may be more
 */
export const purgeUnproven = async (batchSize: number): Promise<boolean> =>
  (
    await inPlatform(() =>
      oneRow<{ is_more: boolean }>('SELECT app.forget_unproven_applications($1) AS is_more', [batchSize]),
    )
  ).is_more;
