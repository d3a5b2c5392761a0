/** Flags of posts and comments, and appeals of their authors against a removal. */
import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { moment, text } from '../../../models/fields.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { appealRemoval } from '../../../models/forums/review-queue/appealRemoval.js';
import { flagText } from '../../../models/forums/review-queue/flagText.js';
import { WRITING_ERRORS } from '../../../models/forums/writeText.js';
import { by, forumMember, forumReader, policy } from '../../http/policy.js';
import { Answer, post, routes } from '../../http/routes.js';
import { spendOnTarget } from '../../http/throttles/spend.js';
import { inForum } from '../access.js';
import { CommentParams } from '../comments/schema.js';
import { forums } from '../fields.js';
import { PostParams } from './schema.js';

const flagPolicy = policy('forum flag', {
  write: [forumMember],
  /** Whether they are the author is part of the look-up. */
  appeal: [forumReader],
});

const FlagBody = z
  .object({
    reason: text(200).optional().meta({ description: 'In a few words.', example: 'Advertising' }),
    note: text(1000).optional().meta({ description: 'For moderators.' }),
  })
  .meta({ id: 'ForumFlagCreate', example: { reason: 'Advertising' } });
const FlagJson = z
  .object({ reason: z.string().nullable(), note: z.string().nullable(), created_at: moment })
  .meta({ id: 'ForumFlag' });

const AppealBody = z
  .object({ text: text(2000).meta({ description: 'Why the text should be published again.' }) })
  .meta({ id: 'ForumAppealCreate', example: { text: 'This is no advertising: the sale is for our house.' } });

const { text_deleted, text_not_removed, already_appealed, appeal_expired } = forumErrors;

interface TextParams {
  forum_id: string;
  post_id: string;
  comment_id?: string;
}

const keyOf = ({ forum_id, post_id, comment_id }: TextParams) => ({
  forumId: forum_id,
  postId: post_id,
  commentId: comment_id,
});

/** Returns the routes below the address of a text. */
const flagRoutesOf = (address: string, kind: 'Post' | 'Comment', params: z.ZodType<TextParams>) =>
  routes(address, [
    post(
      '/flag/',
      {
        ...forums,
        params,
        summary: `Flag a ${kind.toLowerCase()} for moderators`,
        description:
          'Moderators decide. At most 60 flags an hour. You flag a text once; a repeated request is answered with 200.',
        operationId: `flagForum${kind}`,
        rule: by(flagPolicy, 'write'),
        body: FlagBody,
        response: FlagJson,
        status: 201,
        alsoStatus: [200],
        errors: [...WRITING_ERRORS, text_deleted, refuse.throttled],
      },
      async ({ actor, params: ids, body }) => {
        await inForum(actor, ids.forum_id, flagPolicy, 'write');
        const spend = () => spendOnTarget('forum_flag', actor.userId);
        const { flag, isNew } = await flagText(keyOf(ids), actor.userId, body, spend);
        return new Answer(flag, { status: isNew ? 201 : 200 });
      },
    ),

    post(
      '/appeal/',
      {
        ...forums,
        params,
        summary: `Appeal against the removal of your ${kind.toLowerCase()}`,
        description:
          'The author of a removed text, once, within 14 days. Another admin of the organization decides finally.',
        operationId: `appealForum${kind}Removal`,
        rule: by(flagPolicy, 'appeal'),
        body: AppealBody,
        status: 204,
        errors: [forumErrors.forum_archived, text_not_removed, already_appealed, appeal_expired],
      },
      async ({ actor, params: ids, body }) => {
        await inForum(actor, ids.forum_id, flagPolicy, 'appeal');
        await appealRemoval(keyOf(ids), actor.userId, body.text);
      },
    ),
  ]);

const POST = '/api/forums/:forum_id/posts/:post_id';

export const forumFlagRoutes = [
  ...flagRoutesOf(POST, 'Post', PostParams),
  ...flagRoutesOf(`${POST}/comments/:comment_id`, 'Comment', CommentParams),
];
