/** SQL of the columns that posts and comments share in answers; `t` is the text, `a` its author. */
import type { DELETIONS, TextStatus } from './vocabulary.js';

export interface TextAuthor {
  id: string;
  first_name: string;
  last_name: string;
}

export interface TextJson {
  id: string;
  /** Null for a deleted text. */
  author: TextAuthor | null;
  deletion: (typeof DELETIONS)[number] | null;
  status: TextStatus;
  created_at: string;
  edited_at: string | null;
  version: number;
}

export const TEXT_COLUMNS = `t.id,
  CASE WHEN t.deleted_at IS NULL
       THEN json_build_object('id', a.id, 'first_name', a.first_name, 'last_name', a.last_name) END AS author,
  CASE WHEN t.deleted_by = t.author_id THEN 'author' WHEN t.deleted_by IS NOT NULL THEN 'moderator' END AS deletion, t.status,
  t.created_at, t.edited_at, t.version`;

export const AUTHOR_JOIN = 'JOIN users a ON a.id = t.author_id';

/** SQL: the content of the text is shown. */
export const IS_SHOWN = 't.deleted_at IS NULL';

/** SQL: a column of the text, or null once the text is deleted. */
export const shownUnlessDeleted = (column: string): string => `CASE WHEN ${IS_SHOWN} THEN t.${column} END AS ${column}`;

/** SQL: the role of a user in a forum, which is evaluated at most once in a statement, and only if a row needs it. */
export const roleSql = (user: string, forum: string): string =>
  `(SELECT app.forum_role((SELECT app.org_id()), ${user}::uuid, ${forum}::uuid))`;

/** SQL: text `t` is shown to a user with the role. */
export const isShown = (user: string, role: string): string =>
  `app.sees_forum_text(t.status, t.author_id, ${user}::uuid, ${role})`;

/** SQL: the comments on a post of the forum are shown to a user with the role. */
export const commentsAreShown = (post: string, forum: string, user: string, role: string): string =>
  `(SELECT app.sees_forum_comments(p.status, p.author_id, ${user}::uuid, ${role}) FROM forum_posts p
     WHERE p.organization_id = (SELECT app.org_id()) AND p.forum_id = ${forum} AND p.id = ${post})`;
