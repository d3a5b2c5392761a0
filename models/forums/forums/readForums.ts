/** Reads forums as one person sees them. */
import { type PageQuery, type PageRequest, pageStatement, selectPage } from '../../database/page.js';
import type { Page } from '../../database/page.js';
import { currentOrganization, firstJson, type Statement } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import type { ForumRole, ForumVisibility } from '../vocabulary.js';

export const FORUM_ACCESSES = ['member', 'open', 'requestable', 'requested', 'invited'] as const;
type ForumAccessWord = (typeof FORUM_ACCESSES)[number];

export interface ForumJson {
  id: string;
  name: string;
  description: string | null;
  chapter: string | null;
  region: string | null;
  visibility: ForumVisibility;
  is_archived: boolean;
  member_count: number;
  unread_count: number;
  my_role: ForumRole;
  access: ForumAccessWord;
  version: number;
}

/** A forum that the person may join or was invited to, and cannot read. */
export interface DiscoveredForumJson extends Pick<ForumJson, 'id' | 'name' | 'description' | 'access'> {
  my_role: null;
}

/** Number of threads, the latest active ones, among which unread ones are counted. */
export const COUNTED_THREADS = 100;

/** Columns of forum `f` for user `$1`, whose role there is `role`. */
const columnsFor = (
  role: string,
): string => `f.id, f.name, f.description, f.chapter_id AS chapter, f.region_id AS region,
  f.visibility, f.is_archived, f.member_count, coalesce(unread.number, 0) AS unread_count, ${role} AS my_role,
  CASE WHEN ${role} = 'reader' THEN 'open' WHEN ${role} IS NOT NULL THEN 'member'
       WHEN m.status IN ('invited','requested') AND coalesce(m.invitation_expires_at > now(), true) THEN m.status
       ELSE 'requestable' END AS access, f.version`;

/**
 * The own row of user `$1` in forum `f`, and the number of threads with activity after the person read them or joined. The
 * marks of the counted threads are read in one scan; a join could read those of all threads that the user has read.
 */
const OWN = `
  LEFT JOIN forum_memberships m ON m.organization_id = f.organization_id AND m.forum_id = f.id AND m.user_id = $1
  LEFT JOIN LATERAL (
    WITH latest AS MATERIALIZED (
      SELECT p.id, p.last_activity_at FROM forum_posts p
       WHERE p.organization_id = f.organization_id AND p.forum_id = f.id AND p.deleted_at IS NULL AND p.status = 'published'
       ORDER BY p.last_activity_at DESC, p.id DESC LIMIT ${COUNTED_THREADS})
    SELECT count(*)::int AS number FROM latest LEFT JOIN (
      SELECT r.post_id, r.read_until FROM forum_reads r
       WHERE r.organization_id = f.organization_id AND r.user_id = $1 AND r.post_id = ANY (ARRAY(SELECT id FROM latest))
       OFFSET 0) mark ON mark.post_id = latest.id
     WHERE latest.last_activity_at > coalesce(mark.read_until, m.status_since)) unread ON m.status = 'active'`;

/** Reads a forum for a person who sees it. @throws Refusal not_found */
export const readForum = async (id: string, userId: string): Promise<ForumJson> =>
  requireFound(
    await firstJson<ForumJson>(
      `SELECT ${columnsFor('seen.role')} FROM forums f
         CROSS JOIN LATERAL (SELECT app.forum_role(f.organization_id, $1, f.id) AS role OFFSET 0) seen ${OWN}
        WHERE f.organization_id = $2 AND f.id = $3 AND seen.role IS NOT NULL`,
      [userId, currentOrganization(), id],
    ),
  );

/** SQL: the person was invited to forum `f`, or may request to join it. */
const IS_DISCOVERABLE = `(
  f.visibility = 'approval_required' AND NOT f.is_archived AND app.may_join_forum(f.organization_id, $1, f.chapter_id, f.region_id)
  OR EXISTS (SELECT FROM forum_memberships i WHERE i.organization_id = f.organization_id AND i.forum_id = f.id
               AND i.user_id = $1 AND i.status = 'invited' AND i.invitation_expires_at > now()))`;

/**
 * SQL: user `$1` may have a role in forum `f`, or discover it: by a row there, by a membership in its place, or by an
 * office. Only the roles in these forums are evaluated, because that takes longer than all else. Row level security
 * names the tenant.
 */
const IS_CANDIDATE = `(
  f.id = ANY (ARRAY(SELECT m.forum_id FROM forum_memberships m WHERE m.user_id = $1))
  OR f.visibility <> 'invite_only' AND coalesce(
       coalesce(f.chapter_id, f.region_id) = ANY (ARRAY(SELECT unnest(ARRAY[c.id, c.region_id])
         FROM memberships m JOIN chapters c ON c.id = m.chapter_id WHERE m.user_id = $1)), true)
  OR EXISTS (SELECT FROM affiliations a
              WHERE a.user_id = $1 AND a.organization_id = (SELECT app.org_id()) AND a.kind <> 'member')
  OR (SELECT u.is_platform_admin FROM users u WHERE u.id = $1))`;

const listQuery = (userId: string, discovers: boolean, page: PageRequest): PageQuery => ({
  with: `seen AS MATERIALIZED (
    SELECT f.id, f.name, own.role
      FROM forums f CROSS JOIN LATERAL (SELECT app.forum_role(f.organization_id, $1, f.id) AS role OFFSET 0) own
     WHERE f.organization_id = (SELECT app.org_id()) AND ${IS_CANDIDATE}
       AND (own.role IS NOT NULL${discovers ? ` OR ${IS_DISCOVERABLE}` : ''}))`,
  from: 'seen f',
  rows: { table: 'forums f', key: 'f.id' },
  key: 'f.id',
  where: 'true',
  values: [userId],
  orderBy: 'f.name ASC',
  carried: 'f.role',
  select: columnsFor('narrow.role'),
  join: OWN,
  ...page,
});

/** Builds the statement that lists the forums that a person sees, by name. */
export const forumsStatement = (userId: string, page: PageRequest): Statement =>
  pageStatement(listQuery(userId, false, page));

/**
 * Lists the forums that a person sees, by name.
 * @param discovers whether to list also those that the person may request to join, or was invited to
 * @throws Refusal page_not_found
 */
export const listForums = (
  userId: string,
  discovers: boolean,
  page: PageRequest,
): Promise<Page<ForumJson | DiscoveredForumJson>> => selectPage(listQuery(userId, discovers, page));
