/** Flags of a post, and the appeal of its author against its removal. */
import type { z } from 'zod';
import { appealRemoval } from '../../../models/forums/review-queue/appealRemoval.js';
import { flagText } from '../../../models/forums/review-queue/flagText.js';
import { by } from '../../http/policy.js';
import { Answer, post, routes } from '../../http/routes.js';
import { spendOnTarget } from '../../http/throttles/spend.js';
import { inForum } from '../access.js';
import { forums } from '../fields.js';
import { appeals, flagPolicy, flags } from '../review-queue/flags.js';
import { PostParams } from './schema.js';

const ofPost = { ...forums, params: PostParams };
const keyOf = (params: z.output<typeof PostParams>) => ({ forumId: params.forum_id, postId: params.post_id });

export const forumPostFlagRoutes = routes('/api/forums/:forum_id/posts', [
  post(
    '/:post_id/flag/',
    {
      ...ofPost,
      ...flags,
      summary: 'Flag a post for moderators',
      operationId: 'flagForumPost',
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
    '/:post_id/appeal/',
    {
      ...ofPost,
      ...appeals,
      summary: 'Appeal against the removal of your post',
      operationId: 'appealForumPostRemoval',
      rule: by(flagPolicy, 'appeal'),
      status: 204,
    },
    async ({ actor, params, body }) => {
      await inForum(actor, params.forum_id, flagPolicy, 'appeal');
      await appealRemoval(keyOf(params), actor.userId, body.text);
    },
  ),
]);
