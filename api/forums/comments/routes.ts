import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { deleteText, editText } from '../../../models/forums/changeTexts.js';
import { createComment, type Thread } from '../../../models/forums/comments/createComment.js';
import { commentsStatement, listComments, readComment } from '../../../models/forums/comments/readComments.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { lockComment } from '../../../models/forums/lockTexts.js';
import { readMentions } from '../../../models/forums/mentions/mentions.js';
import { eventOfText } from '../../../models/forums/textIds.js';
import { beginWriting, WORDING_ERRORS, WRITING_ERRORS } from '../../../models/forums/writeText.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, forumMember, forumModerator, forumReader, policy, self } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { spendOnTarget } from '../../http/throttles/spend.js';
import { answerWithAccess, inForum, readAndJoin, viewerOf } from '../access.js';
import { signAttachments } from '../attachments/signUrls.js';
import { forums } from '../fields.js';
import { PostParams, TextDelete } from '../posts/schema.js';
import { CommentCreate, CommentEdit, CommentJson, CommentParams, WrittenCommentJson } from './schema.js';

const commentPolicy = policy('forum comment', {
  read: [forumReader],
  write: [forumMember],
  /** A member's own texts; and all, with a reason, for moderators. */
  change: [self, forumModerator],
});

const { post_not_published, text_deleted, thread_locked, too_many_mentions } = forumErrors;
const ofPost = { ...forums, params: PostParams };
const ofComment = { ...forums, params: CommentParams };

const threadOf = ({ forum_id, post_id }: z.output<typeof PostParams>): Thread => ({
  forumId: forum_id,
  postId: post_id,
});

const keyOf = ({ comment_id, ...params }: z.output<typeof CommentParams>) => ({
  ...threadOf(params),
  commentId: comment_id,
});

/** Reads a comment for the person who has just written it. */
async function readWrittenComment(params: z.output<typeof CommentParams>, userId: string) {
  const written = await readComment(threadOf(params), params.comment_id, userId);
  return { ...written, mentions: await readMentions(eventOfText(params), written) };
}

export const forumCommentRoutes = routes('/api/forums/:forum_id/posts/:post_id/comments', [
  get(
    '/',
    {
      ...ofPost,
      summary: 'List the comments on a post, the oldest first',
      rule: by(commentPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(CommentJson),
      singleMessageRead: {
        skipMemberships: true,
        statement: ({ params, query, userId }) => commentsStatement(threadOf(params), userId, pageRequest(query)),
        answer: answerWithAccess(commentPolicy),
      },
    },
    async ({ actor, params, query, request }) => {
      const access = await inForum(actor, params.forum_id, commentPolicy, 'read');
      const read = async () =>
        presentPage(
          await listComments(threadOf(params), actor.userId, pageRequest(query)),
          query,
          request,
          (row) => row,
        );
      const page = await read();
      return access.joins ? readAndJoin(actor, access, request, read) : page;
    },
  ),

  post(
    '/',
    {
      ...ofPost,
      summary: 'Comment on a post',
      description: 'At most 120 an hour. The first text in an open forum makes you a member.',
      rule: by(commentPolicy, 'write'),
      body: CommentCreate,
      response: WrittenCommentJson,
      status: 201,
      errors: [
        ...WORDING_ERRORS,
        thread_locked,
        text_deleted,
        post_not_published,
        refuse.idempotency_mismatch,
        refuse.throttled,
        too_many_mentions,
      ],
    },
    async ({ actor, params, body }) => {
      const spend = () => spendOnTarget('forum_comment', actor.userId);
      const id = await createComment(threadOf(params), actor.userId, body, spend);
      await inForum(actor, params.forum_id, commentPolicy, 'write');
      return readWrittenComment({ ...params, comment_id: id }, actor.userId);
    },
  ),

  get(
    '/:comment_id/',
    { ...ofComment, summary: 'Get a comment', rule: by(commentPolicy, 'read'), response: CommentJson },
    async ({ actor, params, request }) => {
      const access = await inForum(actor, params.forum_id, commentPolicy, 'read');
      const found = await readComment(threadOf(params), params.comment_id, actor.userId);
      return signAttachments(actor, found, await readAndJoin(actor, access, request, async () => found));
    },
  ),

  patch(
    '/:comment_id/',
    {
      ...ofComment,
      summary: 'Change a comment',
      description: 'Your own; moderators change any comment, with a reason.',
      rule: by(commentPolicy, 'change'),
      body: CommentEdit,
      response: WrittenCommentJson,
      errors: [...WORDING_ERRORS, refuse.stale_version, text_deleted, too_many_mentions],
    },
    async ({ actor, params, body }) => {
      const access = await beginWriting(params.forum_id, actor.userId);
      const comment = await lockComment(keyOf(params), viewerOf(actor, access));
      authorize(actor, commentPolicy, 'change', { ...access, user_id: comment.author_id });
      await editText(comment, actor.userId, body);
      return readWrittenComment(params, actor.userId);
    },
  ),

  del(
    '/:comment_id/',
    {
      ...ofComment,
      summary: 'Delete a comment',
      description: 'Your own; moderators delete any comment, with a reason. A placeholder stays.',
      rule: by(commentPolicy, 'change'),
      body: TextDelete,
      errors: [...WRITING_ERRORS],
    },
    async ({ actor, params, body }) => {
      const access = await beginWriting(params.forum_id, actor.userId);
      const comment = await lockComment(keyOf(params), viewerOf(actor, access));
      authorize(actor, commentPolicy, 'change', { ...access, user_id: comment.author_id });
      await deleteText(comment, actor.userId, body.reason);
    },
  ),
]);
