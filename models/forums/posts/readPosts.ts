/** Reads threads. */
import { type Page, type PageQuery, type PageRequest, pageStatement, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, type Statement } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { withAccess } from '../accessColumns.js';
import { type AttachmentJson, attachmentsOf } from '../attachments/readAttachments.js';
import { AUTHOR_JOIN, isShown, shownUnlessDeleted, TEXT_COLUMNS, type TextJson } from '../textColumns.js';

/** A thread in the list of a forum. */
export interface ThreadJson extends TextJson {
  title: string | null;
  is_pinned: boolean;
  is_locked: boolean;
  comment_count: number;
  last_activity_at: string;
  is_unread: boolean;
}

export interface PostJson extends ThreadJson {
  body: string | null;
  body_html: string | null;
  attachments: AttachmentJson[];
}

/** SQL: since when user `$1` is a member of the forum; it does not depend on a row, so it is read once. */
const memberSince = (forum: string): string => `(SELECT m.status_since FROM forum_memberships m
  WHERE m.organization_id = (SELECT app.org_id()) AND m.forum_id = ${forum} AND m.user_id = $1 AND m.status = 'active')`;

/** SQL: published thread `t` of the forum had activity after member `$1` read it or joined. */
const isUnread = (forum: string): string =>
  `(t.deleted_at IS NULL AND t.status = 'published' AND ${memberSince(forum)} IS NOT NULL AND t.last_activity_at > coalesce(
     (SELECT r.read_until FROM forum_reads r
       WHERE r.organization_id = t.organization_id AND r.user_id = $1 AND r.post_id = t.id), ${memberSince(forum)}))`;

const threadColumns = (forum: string): string =>
  `${TEXT_COLUMNS}, ${shownUnlessDeleted('title')}, t.is_pinned, t.is_locked, t.comment_count, t.last_activity_at,
   ${isUnread(forum)} AS is_unread`;

/** Reads a post of a forum that the user sees. @throws Refusal not_found */
export const readPost = async (forumId: string, id: string, userId: string): Promise<PostJson> =>
  requireFound(
    await firstJson<PostJson>(
      `SELECT ${threadColumns('$3')}, ${shownUnlessDeleted('body')}, ${shownUnlessDeleted('body_html')},
              ${attachmentsOf('post_id')}
         FROM forum_posts t ${AUTHOR_JOIN}
        WHERE t.organization_id = $2 AND t.forum_id = $3 AND t.id = $4 AND ${isShown('$1', '$3')}`,
      [userId, currentOrganization(), forumId, id],
    ),
  );

export interface ThreadFilters {
  author?: string | undefined;
  unread?: boolean | undefined;
}

function feedQuery(forumId: string, userId: string, { author, unread }: ThreadFilters, page: PageRequest): PageQuery {
  const values: unknown[] = [userId, forumId];
  const conditions = [
    't.organization_id = (SELECT app.org_id())',
    't.forum_id = $2',
    isShown('$1', '$2'),
    ...(author === undefined ? [] : [`t.author_id = $${values.push(author)} AND t.deleted_at IS NULL`]),
    ...(unread === undefined ? [] : [`${unread ? '' : 'NOT '}${isUnread('$2')}`]),
  ];
  return {
    from: 'forum_posts t',
    key: 't.id',
    where: conditions.join(' AND '),
    values,
    orderFirst: 't.is_pinned DESC',
    orderBy: 't.last_activity_at DESC',
    select: threadColumns('$2'),
    join: AUTHOR_JOIN,
    ...page,
  };
}

/** Builds the statement that lists the threads of a forum, with the reader's access. */
export const feedStatement = (forumId: string, userId: string, filters: ThreadFilters, page: PageRequest): Statement =>
  withAccess(pageStatement(feedQuery(forumId, userId, filters, page)), forumId, userId);

/** Lists the threads of a forum: pinned ones first, then by their last activity. @throws Refusal page_not_found */
export const listThreads = (
  forumId: string,
  userId: string,
  filters: ThreadFilters,
  page: PageRequest,
): Promise<Page<ThreadJson>> => selectPage(feedQuery(forumId, userId, filters, page));
