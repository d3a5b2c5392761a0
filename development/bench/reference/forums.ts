/** The reference for forums: queries written by hand for one tenant, for members without an office. */
import { type Kysely, sql } from 'kysely';
import type { PageRequest } from '../../../models/database/page.js';
import { COUNTED_THREADS } from '../../../models/forums/forums/readForums.js';
import type { Tables } from './tables.js';

type Db = Kysely<Tables>;

/** Number of rows of a table that match. */
async function count(db: Db, table: string, where: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`SELECT count(*)::int AS count FROM ${sql.table(table)} WHERE ${where}`.execute(db);
  return rows[0]?.count ?? 0;
}

const TEXT = sql.raw(`t.id,
  CASE WHEN t.deleted_at IS NULL THEN json_build_object('id', a.id, 'first_name', a.first_name, 'last_name', a.last_name) END AS author,
  CASE WHEN t.deleted_by = t.author_id THEN 'author' WHEN t.deleted_by IS NOT NULL THEN 'moderator' END AS deletion,
  t.status, t.created_at, t.edited_at, t.version`);
const BODY = sql.raw(`CASE WHEN t.deleted_at IS NULL THEN t.body END AS body,
  CASE WHEN t.deleted_at IS NULL THEN t.body_html END AS body_html,
  coalesce((SELECT json_agg(json_build_object('id', f.id, 'kind', f.kind, 'file_name', f.file_name, 'size_bytes', f.size_bytes,
      'status', CASE WHEN f.file_id IS NULL THEN 'refused' WHEN s.status = 'held' THEN 'processing' ELSE 'ready' END,
      'url', NULL, 'url_expires_at', NULL) ORDER BY f.position)
    FROM forum_attachments f LEFT JOIN stored_files s ON s.organization_id = f.organization_id AND s.id = f.file_id
   WHERE f.organization_id = t.organization_id AND f.comment_id = t.id AND t.deleted_at IS NULL), '[]') AS attachments`);

/** Texts that wait for a decision are shown to their author. */
const isShownTo = (user: string) => sql`(status IN ('published', 'removed') OR author_id = ${user})`;

/** Returns a page of the threads of a forum. Selects the page's ids first, like the list of overdue invoices. */
export async function readFeed(
  db: Db,
  organization: string,
  user: string,
  forum: string,
  { page, pageSize }: PageRequest,
) {
  const inForum = sql`organization_id = ${organization} AND forum_id = ${forum} AND ${isShownTo(user)}`;
  const [counted, { rows: results }] = await Promise.all([
    count(db, 'forum_posts', inForum),
    sql`SELECT ${TEXT}, CASE WHEN t.deleted_at IS NULL THEN t.title END AS title, t.is_pinned, t.is_locked, t.comment_count,
               t.last_activity_at,
               t.deleted_at IS NULL AND t.status = 'published' AND coalesce(t.last_activity_at > coalesce(r.read_until, m.status_since), false) AS is_unread
          FROM (SELECT id FROM forum_posts WHERE ${inForum} ORDER BY is_pinned DESC, last_activity_at DESC, id DESC
                 LIMIT ${sql.lit(pageSize)} OFFSET ${(page - 1) * pageSize}) chosen
          JOIN forum_posts t ON t.id = chosen.id JOIN users a ON a.id = t.author_id
          LEFT JOIN forum_memberships m ON m.organization_id = ${organization} AND m.forum_id = ${forum} AND m.user_id = ${user}
            AND m.status = 'active'
          LEFT JOIN forum_reads r ON r.organization_id = ${organization} AND r.post_id = t.id AND r.user_id = ${user}
         ORDER BY t.is_pinned DESC, t.last_activity_at DESC, t.id DESC`.execute(db),
  ]);
  return { count: counted, results };
}

/** Returns a page of the comments of a thread, the oldest first. */
export async function readComments(
  db: Db,
  organization: string,
  user: string,
  post: string,
  { page, pageSize }: PageRequest,
) {
  const ofPost = sql`organization_id = ${organization} AND post_id = ${post} AND ${isShownTo(user)}`;
  const [counted, { rows: results }] = await Promise.all([
    count(db, 'forum_comments', ofPost),
    sql`SELECT ${TEXT}, ${BODY}
          FROM (SELECT id FROM forum_comments WHERE ${ofPost} ORDER BY created_at, id
                 LIMIT ${sql.lit(pageSize)} OFFSET ${(page - 1) * pageSize}) chosen
          JOIN forum_comments t ON t.id = chosen.id JOIN users a ON a.id = t.author_id
         ORDER BY t.created_at, t.id`.execute(db),
  ]);
  return { count: counted, results };
}

/** Returns a page of the forums that a member sees, by name: their own ones, and open ones of their places. */
export async function readForums(db: Db, organization: string, user: string, { page, pageSize }: PageRequest) {
  const seen = sql`
    FROM forums f
    LEFT JOIN forum_memberships m ON m.organization_id = ${organization} AND m.forum_id = f.id AND m.user_id = ${user}
      AND m.status = 'active'
   WHERE f.organization_id = ${organization}
     AND (m.id IS NOT NULL OR f.visibility = 'open' AND EXISTS (
       SELECT FROM memberships o JOIN chapters c ON c.id = o.chapter_id
        WHERE o.organization_id = ${organization} AND o.user_id = ${user} AND o.status NOT IN ('pnm', 'disaffiliated', 'inactive')
          AND coalesce(f.chapter_id, c.id) = c.id AND (f.region_id IS NULL OR f.region_id = c.region_id)))`;
  const [{ rows: counted }, { rows: results }] = await Promise.all([
    sql<{ count: number }>`SELECT count(*)::int AS count ${seen}`.execute(db),
    sql`
    SELECT s.id, s.name, s.description, s.chapter, s.region, s.visibility, s.is_archived, s.member_count,
           CASE WHEN s.status_since IS NULL THEN 0 ELSE (
             SELECT count(*)::int
               FROM (SELECT id, last_activity_at FROM forum_posts
                      WHERE organization_id = ${organization} AND forum_id = s.id AND deleted_at IS NULL AND status = 'published'
                      ORDER BY last_activity_at DESC, id DESC LIMIT ${sql.lit(COUNTED_THREADS)}) t
               LEFT JOIN forum_reads r ON r.organization_id = ${organization} AND r.post_id = t.id AND r.user_id = ${user}
              WHERE t.last_activity_at > coalesce(r.read_until, s.status_since)) END AS unread_count,
           coalesce(s.role, 'reader') AS my_role, CASE WHEN s.role IS NULL THEN 'open' ELSE 'member' END AS access, s.version
      FROM (SELECT f.id, f.name, f.description, f.chapter_id AS chapter, f.region_id AS region, f.visibility, f.is_archived,
                   f.member_count, m.role, m.status_since, f.version ${seen}
             ORDER BY f.name, f.id LIMIT ${sql.lit(pageSize)} OFFSET ${(page - 1) * pageSize}) s
     ORDER BY s.name, s.id`.execute(db),
  ]);
  return { count: counted[0]?.count ?? 0, results };
}
