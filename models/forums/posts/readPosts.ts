/** Reads threads. */
import { type Page, type PageQuery, type PageRequest, pageStatement, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, type Statement } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type AttachmentJson, attachmentsOf } from '../attachments/readAttachments.js';
import { READER_ROLE, READER_SINCE, readerAccess } from '../readerAccess.js';
import { AUTHOR_JOIN, isShown, roleSql, shownUnlessDeleted, TEXT_COLUMNS, type TextJson } from '../textColumns.js';

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

/** SQL: published thread `t` of the forum had activity after user `$1` read it, or became a member at `since`. */
const isUnread = (since: string): string =>
  `(t.deleted_at IS NULL AND t.status = 'published' AND ${since} IS NOT NULL AND t.last_activity_at > coalesce(
     (SELECT r.read_until FROM forum_reads r
       WHERE r.organization_id = t.organization_id AND r.user_id = $1 AND r.post_id = t.id), ${since}))`;

const threadColumns = (since: string): string =>
  `${TEXT_COLUMNS}, ${shownUnlessDeleted('title')}, t.is_pinned, t.is_locked, t.comment_count, t.last_activity_at,
   ${isUnread(since)} AS is_unread`;

/** Reads a post of a forum that the user sees. @throws Refusal not_found */
export const readPost = async (forumId: string, id: string, userId: string): Promise<PostJson> =>
  requireFound(
    await firstJson<PostJson>(
      `SELECT ${threadColumns(memberSince('$3'))}, ${shownUnlessDeleted('body')}, ${shownUnlessDeleted('body_html')},
              ${attachmentsOf('post_id')}
         FROM forum_posts t ${AUTHOR_JOIN}
        WHERE t.organization_id = $2 AND t.forum_id = $3 AND t.id = $4 AND ${isShown('$1', roleSql('$1', '$3'))}`,
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
    isShown('$1', READER_ROLE),
    ...(author === undefined ? [] : [`t.author_id = $${values.push(author)} AND t.deleted_at IS NULL`]),
    ...(unread === undefined ? [] : [`${unread ? '' : 'NOT '}${isUnread(READER_SINCE)}`]),
  ];
  return {
    ...readerAccess('$1', '$2'),
    from: 'forum_posts t',
    key: 't.id',
    where: conditions.join(' AND '),
    values,
    orderFirst: 't.is_pinned DESC',
    orderBy: 't.last_activity_at DESC',
    select: threadColumns(READER_SINCE),
    join: AUTHOR_JOIN,
    ...page,
  };
}

/** Builds the statement that lists the threads of a forum, with the reader's access. */
export const feedStatement = (forumId: string, userId: string, filters: ThreadFilters, page: PageRequest): Statement =>
  pageStatement(feedQuery(forumId, userId, filters, page));

/** Lists the threads of a forum: pinned ones first, then by their last activity. @throws Refusal page_not_found */
export const listThreads = (
  forumId: string,
  userId: string,
  filters: ThreadFilters,
  page: PageRequest,
): Promise<Page<ThreadJson>> => selectPage(feedQuery(forumId, userId, filters, page));
