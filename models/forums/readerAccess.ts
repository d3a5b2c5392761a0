/** SQL: the access of the person who reads a page of a forum, in the statement that reads the page. */
import type { PageQuery, PageText } from '../database/page.js';
import type { ForumRole } from './vocabulary.js';

/** A page of a forum together with the access of its reader. The caller discards the page if `forum_role` is null. */
export interface PageWithAccess extends PageText {
  forum_role: ForumRole | null;
  joins: boolean;
}

/** SQL: the role of the reader, which is evaluated once in a statement. */
export const READER_ROLE = '(SELECT forum_role FROM access)';
/** SQL: since when the reader is a member of the forum; null for other people. */
export const READER_SINCE = '(SELECT member_since FROM access)';

/**
 * Returns the parts of a page query that read the access of a person. Whether the read makes the person a member is
 * evaluated only without a row of the person.
 * @param user SQL of the person's id
 * @param forum SQL of the forum's id
 */
export const readerAccess = (user: string, forum: string): { with: string; facts: string } & Partial<PageQuery> => ({
  with: `access AS MATERIALIZED (
    SELECT app.forum_role((SELECT app.org_id()), ${user}::uuid, ${forum}::uuid) AS forum_role,
           coalesce(m.status, 'ended') = 'ended'
             AND app.joins_by_reading((SELECT app.org_id()), ${user}::uuid, ${forum}::uuid) AS joins,
           CASE WHEN m.status = 'active' THEN m.status_since END AS member_since
      FROM (SELECT) reader LEFT JOIN forum_memberships m
        ON m.organization_id = (SELECT app.org_id()) AND m.forum_id = ${forum} AND m.user_id = ${user})`,
  facts: `${READER_ROLE} AS forum_role, (SELECT joins FROM access) AS joins`,
});
