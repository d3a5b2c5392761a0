import type { PageText } from '../database/page.js';
import type { Statement } from '../database/rows.js';
import type { ForumRole } from './vocabulary.js';

/** A page of a forum together with the access of its reader. */
export interface PageWithAccess extends PageText {
  forum_role: ForumRole | null;
  joins: boolean;
}

/**
 * Adds the access of a person to a statement that reads a page of a forum, so that both take one round trip. The caller
 * discards the page if `forum_role` is null. Whether the read makes the person a member is evaluated only without a row
 * of the person.
 */
export function withAccess({ text, values, ...statement }: Statement, forumId: string, userId: string): Statement {
  const [user, forum] = [values.length + 1, values.length + 2].map((n) => `$${n}::uuid`);
  return {
    ...statement,
    text: `SELECT app.forum_role((SELECT app.org_id()), ${user}, ${forum}) AS forum_role,
                  NOT EXISTS (SELECT FROM forum_memberships m WHERE m.organization_id = (SELECT app.org_id())
                                AND m.forum_id = ${forum} AND m.user_id = ${user} AND m.status <> 'ended')
                  AND app.joins_by_reading((SELECT app.org_id()), ${user}, ${forum}) AS joins, page.*
             FROM (${text}) page`,
    values: [...values, userId, forumId],
  };
}
