/** Flags of a comment, and the appeal of its author against its removal. */
import type { z } from 'zod';
import { appealRemoval } from '../../../models/forums/review-queue/appealRemoval.js';
import { flagText } from '../../../models/forums/review-queue/flagText.js';
import { by } from '../../http/policy.js';
import { Answer, post, routes } from '../../http/routes.js';
import { spendOnTarget } from '../../http/throttles/spend.js';
import { inForum } from '../access.js';
import { forums } from '../fields.js';
import { appeals, flagPolicy, flags } from '../review-queue/flags.js';
import { CommentParams } from './schema.js';

const ofComment = { ...forums, params: CommentParams };
const keyOf = (params: z.output<typeof CommentParams>) => ({
  forumId: params.forum_id,
  postId: params.post_id,
  commentId: params.comment_id,
});

export const forumCommentFlagRoutes = routes('/api/forums/:forum_id/posts/:post_id/comments', [
  post(
    '/:comment_id/flag/',
    {
      ...ofComment,
      ...flags,
      summary: 'Flag a comment for moderators',
      operationId: 'flagForumComment',
      rule: by(flagPolicy, 'write'),
    },
    async ({ actor, params, body }) => {
      await inForum(actor, params.forum_id, flagPolicy, 'write');
      const spend = () => spendOnTarget('forum_flag', actor.userId);
      const { flag, isNew } = await flagText(keyOf(params), actor.userId, body, spend);
      return new Answer(flag, { status: isNew ? 201 : 200 });
    },
  ),

  post(
    '/:comment_id/appeal/',
    {
      ...ofComment,
      ...appeals,
      summary: 'Appeal against the removal of your comment',
      operationId: 'appealForumCommentRemoval',
      rule: by(flagPolicy, 'appeal'),
      status: 204,
    },
    async ({ actor, params, body }) => {
      await inForum(actor, params.forum_id, flagPolicy, 'appeal');
      await appealRemoval(keyOf(params), actor.userId, body.text);
    },
  ),
]);
