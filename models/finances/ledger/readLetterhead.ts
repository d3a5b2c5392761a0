import { currentOrganization, oneRow } from '../../database/rows.js';

/** The heading of a document: the organization, the chapter and the time. */
export interface Letterhead {
  organization: string;
  color: string | null;
  chapter: string;
  timezone: string;
  /** Time of reading, as YYYY-MM-DD HH:MM UTC. */
  as_of: string;
}

export const readLetterhead = (chapterId: string): Promise<Letterhead> =>
  oneRow<Letterhead>(
    `SELECT o.name AS organization, o.primary_color AS color, o.timezone, c.name AS chapter, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"') AS as_of
       FROM organizations o JOIN chapters c ON c.organization_id = o.id AND c.id = $2 WHERE o.id = $1`,
    [currentOrganization(), chapterId],
  );
