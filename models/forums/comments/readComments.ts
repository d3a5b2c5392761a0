/** Reads the comments of a thread. */
import { type Page, type PageQuery, type PageRequest, pageStatement, selectPage } from '../../database/page.js';
import { currentOrganization, firstJson, firstRow, type Statement } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type AttachmentJson, attachmentsOf } from '../attachments/readAttachments.js';
import { READER_ROLE, readerAccess } from '../readerAccess.js';
import {
  AUTHOR_JOIN,
  commentsAreShown,
  isShown,
  roleSql,
  shownUnlessDeleted,
  TEXT_COLUMNS,
  type TextJson,
} from '../textColumns.js';
import type { Thread } from './createComment.js';

export interface CommentJson extends TextJson {
  body: string | null;
  body_html: string | null;
  attachments: AttachmentJson[];
}

const COMMENT = `${TEXT_COLUMNS}, ${shownUnlessDeleted('body')}, ${shownUnlessDeleted('body_html')},
  ${attachmentsOf('comment_id')}`;

/** SQL: the role of user `$5` in forum `$2`. */
const ROLE = roleSql('$5', '$2');

/** Reads a comment of a thread that the user sees. @throws Refusal not_found */
export const readComment = async ({ forumId, postId }: Thread, id: string, userId: string): Promise<CommentJson> =>
  requireFound(
    await firstJson<CommentJson>(
      `SELECT ${COMMENT} FROM forum_comments t ${AUTHOR_JOIN}
        WHERE t.organization_id = $1 AND t.forum_id = $2 AND t.post_id = $3 AND t.id = $4
          AND ${isShown('$5', ROLE)} AND ${commentsAreShown('$3', '$2', '$5', ROLE)}`,
      [currentOrganization(), forumId, postId, id, userId],
    ),
  );

/** Comments are found by their post alone, because their index, from which they are counted, does not contain the forum. */
const commentsQuery = ({ forumId, postId }: Thread, userId: string, page: PageRequest): PageQuery => {
  const access = readerAccess('$3', '$1');
  const thread = `thread AS MATERIALIZED (SELECT ${commentsAreShown('$2', '$1', '$3', READER_ROLE)} AS is_shown)`;
  return {
    ...access,
    with: `${access.with}, ${thread}`,
    from: 'forum_comments t',
    key: 't.id',
    where: `t.organization_id = (SELECT app.org_id()) AND t.post_id = $2
    AND ${isShown('$3', READER_ROLE)} AND (SELECT is_shown FROM thread)`,
    values: [forumId, postId, userId],
    orderBy: 't.created_at ASC',
    select: COMMENT,
    join: AUTHOR_JOIN,
    ...page,
  };
};

/** Builds the statement that lists the comments of a thread, with the reader's access. */
export const commentsStatement = (thread: Thread, userId: string, page: PageRequest): Statement =>
  pageStatement(commentsQuery(thread, userId, page));

/** Lists the comments of a thread, the oldest first. @throws Refusal not_found without the post, page_not_found */
export async function listComments(thread: Thread, userId: string, page: PageRequest): Promise<Page<CommentJson>> {
  const list = await selectPage<CommentJson>(commentsQuery(thread, userId, page));
  if (list.count === 0) await requirePost(thread, userId);
  return list;
}

/** Requires that the forum has the post, and that the user sees it. @throws Refusal not_found */
export async function requirePost({ forumId, postId }: Thread, userId: string): Promise<void> {
  requireFound(
    await firstRow(
      `SELECT t.id FROM forum_posts t
        WHERE t.organization_id = $1 AND t.forum_id = $2 AND t.id = $3 AND ${isShown('$4', roleSql('$4', '$2'))}`,
      [currentOrganization(), forumId, postId, userId],
    ),
  );
}
