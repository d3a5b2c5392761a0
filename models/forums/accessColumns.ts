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
 * discards the page if `forum_role` is null.
 */
export function withAccess({ text, values, ...statement }: Statement, forumId: string, userId: string): Statement {
  const [user, forum] = [values.length + 1, values.length + 2].map((n) => `$${n}::uuid`);
  return {
    ...statement,
    text: `SELECT app.forum_role((SELECT app.org_id()), ${user}, ${forum}) AS forum_role,
                  app.joins_by_reading((SELECT app.org_id()), ${user}, ${forum}) AS joins, page.*
             FROM (${text}) page`,
    values: [...values, userId, forumId],
  };
}
