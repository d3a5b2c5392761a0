import { oneRow } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';

/**
 * Deletes expired links and sessions of donors, across all organizations. Each call deletes one batch.
 * @param batchSize maximum number of rows of each kind
 * @returns whether there may be more
 */
export const removeExpiredDonorAccess = async (batchSize: number): Promise<boolean> =>
  (
    await inPlatform(() =>
      oneRow<{ is_more: boolean }>('SELECT app.remove_expired_donor_access($1) AS is_more', [batchSize]),
    )
  ).is_more;
