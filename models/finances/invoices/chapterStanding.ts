import { firstRow } from '../../database/rows.js';

/** Whether this tenant has the chapter, and whether officers see amounts; null when it has not. */
export const chapterStanding = (chapterId: string): Promise<{ officers_see_amounts: boolean } | null> =>
  firstRow(
    `SELECT coalesce((SELECT officers_see_amounts FROM org_dues_settings WHERE organization_id = (SELECT app.org_id())), true)
              AS officers_see_amounts
       FROM chapters WHERE organization_id = (SELECT app.org_id()) AND id = $1`,
    [chapterId],
  );
