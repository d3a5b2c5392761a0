import { oneRow } from '../../database/rows.js';
import { inPlatform } from '../../database/tenancy.js';

/**
 * Erases drafts past their time, and what was sent with addresses that never answered, of all organizations. Run again, it
 * erases the next.
 * @param most of each
 * @returns whether there may be more
 */
export const forgetUnproven = async (most: number): Promise<boolean> =>
  (
    await inPlatform(() =>
      oneRow<{ is_more: boolean }>('SELECT app.forget_unproven_applications($1) AS is_more', [most]),
    )
  ).is_more;
