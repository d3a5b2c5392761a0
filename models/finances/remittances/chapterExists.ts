import { firstRow } from '../../database/rows.js';

/** Whether this tenant has the chapter. */
export const chapterExists = async (id: string): Promise<boolean> =>
  (await firstRow('SELECT 1 FROM chapters WHERE organization_id = (SELECT app.org_id()) AND id = $1', [id])) !== null;
