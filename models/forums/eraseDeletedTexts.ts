import { oneRow } from '../database/rows.js';
import { inPlatform } from '../database/tenancy.js';

/**
 * Erases posts and comments that were deleted 30 days ago or earlier, across all organizations; their placeholders stay.
 * Each call erases one batch.
 * @param batchSize maximum number of rows of each kind
 * @returns whether there may be more
 */
export const eraseDeletedTexts = async (batchSize: number): Promise<boolean> =>
  (
    await inPlatform(() =>
      oneRow<{ is_more: boolean }>('SELECT app.erase_deleted_forum_texts($1) AS is_more', [batchSize]),
    )
  ).is_more;
