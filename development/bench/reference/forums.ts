/**
 * The reference for forums: queries written by hand for one tenant. Each read asks for the role of its reader, by the
 * same rules as `app.forum_role`: memberships that give access, offices, and the visibility of the forum. Texts that
 * wait for a decision are shown to their authors and to moderators. Reads do not make people members, and the filters of
 * the product are missing.
 */
import { type Kysely, sql } from 'kysely';
import type { PageRequest } from '../../../models/database/page.js';
import { COUNTED_THREADS } from '../../../models/forums/forums/readForums.js';
import type { ForumRole, TextStatus } from '../../../models/forums/vocabulary.js';
import type { Tables } from './tables.js';

type Db = Kysely<Tables>;

/** The claims of the reader's token. */
interface Reader {
  /** Id of the user. */
  sub: string;
  /** Id of the organization. */
  org: string;
}

const notFound = () => Object.assign(new Error('Not found.'), { statusCode: 404 });

/** Number of rows of a table that match. */
async function count(db: Db, table: ReturnType<typeof sql>, where: ReturnType<typeof sql>): Promise<number> {
  const counted = await sql<{ count: number }>`SELECT count(*)::int AS count FROM ${table} WHERE ${where}`.execute(db);
  return counted.rows[0]?.count ?? 0;
}

/**
 * The forums of the organization with the role of the reader, null for a forum that the reader does not see. A member
 * by invitation needs access to the organization only, and other people need it to the chapter or region of the forum.
 */
const withRole = ({ sub: user, org: organization }: Reader) => sql`(
  WITH reader AS MATERIALIZED (
    SELECT u.is_platform_admin OR EXISTS (SELECT FROM organization_admins
              WHERE organization_id = ${organization} AND user_id = u.id AND is_active) AS is_admin,
           ARRAY(SELECT region_id FROM regional_admins
                  WHERE organization_id = ${organization} AND user_id = u.id AND is_active) AS offices,
           own.chapters, own.regions
      FROM users u
     CROSS JOIN (SELECT coalesce(array_agg(c.id), '{}') AS chapters, coalesce(array_agg(c.region_id), '{}') AS regions
                   FROM memberships m JOIN chapters c ON c.id = m.chapter_id
                  WHERE m.organization_id = ${organization} AND m.user_id = ${user}
                    AND m.status NOT IN ('pnm', 'disaffiliated', 'inactive')) own
     WHERE u.id = ${user} AND u.disabled_at IS NULL)
  SELECT f.id, f.name, f.description, f.chapter_id, f.region_id, f.visibility, f.is_archived, f.member_count, f.version,
         m.status_since,
         CASE WHEN reader.is_admin OR m.role = 'admin' AND has_access THEN 'admin'
              WHEN place.region_id = ANY (reader.offices) OR m.role = 'moderator' AND has_access THEN 'moderator'
              WHEN m.role = 'member' AND has_access THEN 'member'
              WHEN f.visibility = 'open' AND has_access THEN 'reader' END AS role
    FROM reader
    JOIN forums f ON f.organization_id = ${organization}
    LEFT JOIN chapters c ON c.id = f.chapter_id
    LEFT JOIN forum_memberships m ON m.organization_id = ${organization} AND m.forum_id = f.id AND m.user_id = ${user}
      AND m.status = 'active'
   CROSS JOIN LATERAL (SELECT coalesce(f.region_id, c.region_id) AS region_id) place
   CROSS JOIN LATERAL (SELECT f.chapter_id = ANY (reader.chapters) OR f.region_id = ANY (reader.regions)
      OR place.region_id = ANY (reader.offices)
      OR (m.by_invitation OR f.chapter_id IS NULL AND f.region_id IS NULL)
         AND (reader.chapters <> '{}' OR reader.offices <> '{}') AS has_access) access)`;

/** Returns whether the reader moderates the forum. @throws Error with status 404 for a forum that the reader does not see */
async function readIsModerator(db: Db, reader: Reader, forum: string): Promise<boolean> {
  const { rows } = await sql<{ role: ForumRole | null }>`
    SELECT role FROM ${withRole(reader)} f WHERE f.id = ${forum}`.execute(db);
  const role = rows[0]?.role;
  if (!role) throw notFound();
  return role === 'moderator' || role === 'admin';
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

const isShownTo = (user: string, isModerator: boolean) =>
  isModerator ? sql`true` : sql`(status IN ('published', 'removed') OR author_id = ${user})`;

/** Returns a page of the threads of a forum. Selects the page's ids first, like the list of overdue invoices. */
export async function readFeed(db: Db, reader: Reader, forum: string, { page, pageSize }: PageRequest) {
  const { sub: user, org: organization } = reader;
  const isModerator = await readIsModerator(db, reader, forum);
  const inForum = sql`organization_id = ${organization} AND forum_id = ${forum} AND ${isShownTo(user, isModerator)}`;
  const [counted, { rows: results }] = await Promise.all([
    count(db, sql`forum_posts`, inForum),
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

/** Returns a page of the comments of a thread, the oldest first. Only moderators see comments on a removed post. */
export async function readComments(
  db: Db,
  reader: Reader,
  { forum, post }: { forum: string; post: string },
  { page, pageSize }: PageRequest,
) {
  const { sub: user, org: organization } = reader;
  const [isModerator, { rows: posts }] = await Promise.all([
    readIsModerator(db, reader, forum),
    sql<{ status: TextStatus; author_id: string }>`
      SELECT status, author_id FROM forum_posts
       WHERE organization_id = ${organization} AND forum_id = ${forum} AND id = ${post}`.execute(db),
  ]);
  const [thread] = posts;
  const isPublic = thread?.status === 'published' || thread?.status === 'removed';
  if (!thread || !(isPublic || isModerator || thread.author_id === user)) throw notFound();
  if (thread.status === 'removed' && !isModerator) return { count: 0, results: [] };
  const ofPost = sql`organization_id = ${organization} AND post_id = ${post} AND ${isShownTo(user, isModerator)}`;
  const [counted, { rows: results }] = await Promise.all([
    count(db, sql`forum_comments`, ofPost),
    sql`SELECT ${TEXT}, ${BODY}
          FROM (SELECT id FROM forum_comments WHERE ${ofPost} ORDER BY created_at, id
                 LIMIT ${sql.lit(pageSize)} OFFSET ${(page - 1) * pageSize}) chosen
          JOIN forum_comments t ON t.id = chosen.id JOIN users a ON a.id = t.author_id
         ORDER BY t.created_at, t.id`.execute(db),
  ]);
  return { count: counted, results };
}

/** Returns a page of the forums that a person sees, by name. */
export async function readForums(db: Db, reader: Reader, { page, pageSize }: PageRequest) {
  const { sub: user, org: organization } = reader;
  const isSeen = sql`role IS NOT NULL`;
  const [counted, { rows: results }] = await Promise.all([
    count(db, sql`${withRole(reader)} f`, isSeen),
    sql`
    SELECT s.id, s.name, s.description, s.chapter_id AS chapter, s.region_id AS region, s.visibility, s.is_archived, s.member_count,
           CASE WHEN s.status_since IS NULL THEN 0 ELSE (
             SELECT count(*)::int
               FROM (SELECT id, last_activity_at FROM forum_posts
                      WHERE organization_id = ${organization} AND forum_id = s.id AND deleted_at IS NULL AND status = 'published'
                      ORDER BY last_activity_at DESC, id DESC LIMIT ${sql.lit(COUNTED_THREADS)}) t
               LEFT JOIN forum_reads r ON r.organization_id = ${organization} AND r.post_id = t.id AND r.user_id = ${user}
              WHERE t.last_activity_at > coalesce(r.read_until, s.status_since)) END AS unread_count,
           s.role AS my_role, CASE WHEN s.role = 'reader' THEN 'open' ELSE 'member' END AS access, s.version
      FROM (SELECT * FROM ${withRole(reader)} f WHERE ${isSeen}
             ORDER BY name, id LIMIT ${sql.lit(pageSize)} OFFSET ${(page - 1) * pageSize}) s
     ORDER BY s.name, s.id`.execute(db),
  ]);
  return { count: counted, results };
}
