import { z } from 'zod';
import type { Actor } from '../../../models/identity/Actor.js';
import { lockForumForText } from '../../../models/forums/forums/forumAccess.js';
import { requirePost } from '../../../models/forums/comments/readComments.js';
import { forumErrors } from '../../../models/forums/errors.js';
import {
  readForumSubscription,
  readThreadSubscription,
  saveForumSubscription,
  saveThreadSubscription,
} from '../../../models/notifications/forum-subscriptions/forumSubscriptions.js';
import { listSubscriptions } from '../../../models/forums/subscription/listSubscriptions.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { anyone, authorize, by, forumMember, forumReader, policy } from '../../http/policy.js';
import { get, put, routes } from '../../http/routes.js';
import { inForum } from '../access.js';
import { ForumParams, forums } from '../fields.js';
import { PostParams } from '../posts/schema.js';

const subscriptionPolicy = policy('own forum subscription', {
  /** Lists only the person's own, in forums that the person sees. */
  list: [anyone],
  read: [forumReader],
  mute: [forumReader],
  write: [forumMember],
});

const fields = {
  new_posts: z.boolean().meta({ description: 'Whether you hear of new posts.' }),
  replies: z.boolean().meta({ description: 'Whether you hear of replies in all threads.' }),
};
const threadFields = {
  replies: z.boolean().meta({ description: 'Whether you hear of replies in this thread. Wins over the forum.' }),
  muted: z.boolean().meta({ description: 'Whether you hear nothing of this thread, also when you are mentioned.' }),
};

const ForumSubscriptionJson = z.object(fields).meta({ id: 'ForumSubscription' });
const ForumSubscriptionPut = z
  .object(fields)
  .partial()
  .meta({ id: 'ForumSubscriptionPut', example: { new_posts: true, replies: false } });
const ThreadSubscriptionJson = z.object(threadFields).meta({ id: 'ForumThreadSubscription' });
const ThreadSubscriptionPut = z
  .object(threadFields)
  .partial()
  .meta({ id: 'ForumThreadSubscriptionPut', example: { replies: true, muted: false } });

const OwnSubscriptionJson = z
  .object({
    forum: z.object({ id: z.uuid(), name: z.string() }),
    post: z
      .object({ id: z.uuid(), title: z.string().nullable().meta({ description: 'Null once the post is deleted.' }) })
      .nullable()
      .meta({ description: 'Null: what you hear of the forum.' }),
    new_posts: z.boolean().nullable().meta({ description: 'Null for a thread.' }),
    replies: z.boolean(),
    muted: z.boolean().meta({ description: 'Whether you hear nothing of this thread, also when you are mentioned.' }),
  })
  .meta({ id: 'OwnForumSubscription' });

const ofForum = { ...forums, impersonation: 'closed', params: ForumParams, response: ForumSubscriptionJson } as const;
const ofThread = { ...forums, impersonation: 'closed', params: PostParams, response: ThreadSubscriptionJson } as const;
const reads = { rule: by(subscriptionPolicy, 'read') };
const writes = { description: 'Fields that are left out stay.', errors: [forumErrors.forum_membership_required] };

/**
 * Requires that the person may subscribe, and keeps that true until the transaction ends.
 * @throws Refusal not_found, forum_membership_required
 */
async function requireMember(actor: Actor, forumId: string): Promise<void> {
  await lockForumForText(forumId);
  const access = await inForum(actor, forumId, subscriptionPolicy, 'read');
  if (access.forum_role === 'reader') throw forumErrors.forum_membership_required();
  authorize(actor, subscriptionPolicy, 'write', access);
}

export const forumSubscriptionRoutes = routes('/api/forums/:forum_id', [
  get(
    '/subscription/',
    { ...ofForum, ...reads, summary: 'Read what you hear of a forum' },
    async ({ actor, params }) => {
      await inForum(actor, params.forum_id, subscriptionPolicy, 'read');
      return readForumSubscription(params.forum_id, actor.userId);
    },
  ),

  put(
    '/subscription/',
    {
      ...ofForum,
      ...writes,
      rule: by(subscriptionPolicy, 'write'),
      summary: 'Choose what you hear of a forum',
      body: ForumSubscriptionPut,
    },
    async ({ actor, params, body }) => {
      await inForum(actor, params.forum_id, subscriptionPolicy, 'read');
      await requireMember(actor, params.forum_id);
      await saveForumSubscription(params.forum_id, actor.userId, body);
      return readForumSubscription(params.forum_id, actor.userId);
    },
  ),

  get(
    '/posts/:post_id/subscription/',
    { ...ofThread, ...reads, summary: 'Read what you hear of a thread' },
    async ({ actor, params: { forum_id: forumId, post_id: postId } }) => {
      await inForum(actor, forumId, subscriptionPolicy, 'read');
      await requirePost({ forumId, postId }, actor.userId);
      return readThreadSubscription({ forumId, postId }, actor.userId);
    },
  ),

  put(
    '/posts/:post_id/subscription/',
    {
      ...ofThread,
      ...writes,
      rule: by(subscriptionPolicy, 'mute', 'write'),
      summary: 'Choose what you hear of a thread',
      body: ThreadSubscriptionPut,
    },
    async ({ actor, params: { forum_id: forumId, post_id: postId }, body }) => {
      await inForum(actor, forumId, subscriptionPolicy, 'mute');
      await requirePost({ forumId, postId }, actor.userId);
      if (body.replies !== undefined) await requireMember(actor, forumId);
      await saveThreadSubscription({ forumId, postId }, actor.userId, body);
      return readThreadSubscription({ forumId, postId }, actor.userId);
    },
  ),
]);

export const ownForumSubscriptionRoutes = routes('/api/notifications/forum-subscriptions', [
  get(
    '/',
    {
      ...forums,
      summary: 'List what you hear of forums and threads',
      description: 'By the name of the forum: the forum first, then its threads, the newest first.',
      operationId: 'listOwnForumSubscriptions',
      rule: by(subscriptionPolicy, 'list'),
      query: z.object(pageQuery),
      response: pageOf(OwnSubscriptionJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, subscriptionPolicy, 'list');
      const page = await listSubscriptions(actor.userId, pageRequest(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),
]);
