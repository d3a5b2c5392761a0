import { refuse } from '../../../models/errors.js';
import { forumErrors } from '../../../models/forums/errors.js';
import { deleteText, editText } from '../../../models/forums/changeTexts.js';
import { createPost, lockThread, pinPost } from '../../../models/forums/posts/changePosts.js';
import { lockPost, lockPostOrPlaceholder } from '../../../models/forums/lockTexts.js';
import { readMentions } from '../../../models/forums/mentions/mentions.js';
import { readThread } from '../../../models/forums/posts/readMarks.js';
import { feedStatement, listThreads, readPost } from '../../../models/forums/posts/readPosts.js';
import { requirePost } from '../../../models/forums/comments/readComments.js';
import { eventOfText } from '../../../models/forums/textIds.js';
import { markSubjectRead } from '../../../models/notifications/markRead.js';
import { beginWriting, WORDING_ERRORS, WRITING_ERRORS } from '../../../models/forums/writeText.js';
import { pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, forumMember, forumModerator, forumReader, policy, self } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { spendOnTarget } from '../../http/throttles/spend.js';
import { answerWithAccess, inForum, lockInForum, readAndJoin, viewerOf } from '../access.js';
import { signAttachments } from '../attachments/signUrls.js';
import { forum_archived, ForumParams, forums } from '../fields.js';
import {
  LockBody,
  PinBody,
  PostCreate,
  PostEdit,
  PostJson,
  PostParams,
  TextDelete,
  ThreadFilters,
  ThreadPage,
  WrittenPostJson,
} from './schema.js';

export const postPolicy = policy('forum post', {
  read: [forumReader],
  write: [forumMember],
  /** A member's own texts; and all, with a reason, for moderators. */
  change: [self, forumModerator],
  moderate: [forumModerator],
});

const { text_deleted, too_many_mentions, too_many_pins } = forumErrors;
const inOneForum = { ...forums, params: ForumParams };
const ofPost = { ...forums, params: PostParams };
const reads = { ...ofPost, rule: by(postPolicy, 'read') };
const moderates = { ...ofPost, rule: by(postPolicy, 'moderate'), response: PostJson };

/** Reads a post for the person who has just written it. */
async function readWrittenPost(forum_id: string, post_id: string, userId: string) {
  const written = await readPost(forum_id, post_id, userId);
  return { ...written, mentions: await readMentions(eventOfText({ forum_id, post_id, comment_id: null }), written) };
}

export const forumPostRoutes = routes('/api/forums/:forum_id/posts', [
  get(
    '/',
    {
      ...inOneForum,
      summary: 'List the threads of a forum: pinned ones first, then by their last activity',
      rule: by(postPolicy, 'read'),
      query: ThreadFilters,
      response: ThreadPage,
      singleMessageRead: {
        skipMemberships: true,
        statement: ({ params, query, userId }) => feedStatement(params.forum_id, userId, query, pageRequest(query)),
        answer: answerWithAccess(postPolicy),
      },
    },
    async ({ actor, params, query, request }) => {
      const access = await inForum(actor, params.forum_id, postPolicy, 'read');
      return readAndJoin(actor, access, request, async () => {
        const page = await listThreads(params.forum_id, actor.userId, query, pageRequest(query));
        return presentPage(page, query, request, (row) => row);
      });
    },
  ),

  post(
    '/',
    {
      ...inOneForum,
      summary: 'Write a post',
      description: 'At most 30 an hour. The first text in an open forum makes you a member.',
      rule: by(postPolicy, 'write'),
      body: PostCreate,
      response: WrittenPostJson,
      status: 201,
      errors: [...WORDING_ERRORS, refuse.idempotency_mismatch, refuse.throttled, too_many_mentions],
    },
    async ({ actor, params, body }) => {
      const id = await createPost(params.forum_id, actor.userId, body, () => spendOnTarget('forum_post', actor.userId));
      await inForum(actor, params.forum_id, postPolicy, 'write');
      return readWrittenPost(params.forum_id, id, actor.userId);
    },
  ),

  get('/:post_id/', { ...reads, summary: 'Get a post', response: PostJson }, async ({ actor, params, request }) => {
    const access = await inForum(actor, params.forum_id, postPolicy, 'read');
    const found = await readPost(params.forum_id, params.post_id, actor.userId);
    return signAttachments(actor, found, await readAndJoin(actor, access, request, async () => found));
  }),

  patch(
    '/:post_id/',
    {
      ...ofPost,
      summary: 'Change a post',
      description: 'Your own; moderators change any post, with a reason.',
      rule: by(postPolicy, 'change'),
      body: PostEdit,
      response: WrittenPostJson,
      errors: [...WORDING_ERRORS, refuse.stale_version, text_deleted, too_many_mentions],
    },
    async ({ actor, params, body }) => {
      const access = await beginWriting(params.forum_id, actor.userId);
      const found = await lockPost(params.forum_id, params.post_id, viewerOf(actor, access));
      authorize(actor, postPolicy, 'change', { ...access, user_id: found.author_id });
      await editText(found, actor.userId, body);
      return readWrittenPost(params.forum_id, params.post_id, actor.userId);
    },
  ),

  del(
    '/:post_id/',
    {
      ...ofPost,
      summary: 'Delete a post',
      description: 'Your own; moderators delete any post, with a reason. A placeholder stays, and so do the comments.',
      rule: by(postPolicy, 'change'),
      body: TextDelete,
      errors: [...WRITING_ERRORS],
    },
    async ({ actor, params, body }) => {
      const access = await beginWriting(params.forum_id, actor.userId);
      const found = await lockPostOrPlaceholder(params.forum_id, params.post_id, viewerOf(actor, access));
      authorize(actor, postPolicy, 'change', { ...access, user_id: found.author_id });
      await deleteText(found, actor.userId, body.reason);
    },
  ),

  post(
    '/:post_id/pin/',
    {
      ...moderates,
      summary: 'Pin or unpin a post',
      description: 'A forum has at most five pinned posts. Repeating the request changes nothing.',
      operationId: 'pinForumPost',
      body: PinBody,
      errors: [forum_archived, text_deleted, too_many_pins],
    },
    async ({ actor, params, body }) => {
      const access = await lockInForum(actor, params.forum_id, postPolicy, 'moderate');
      await pinPost(params.forum_id, params.post_id, viewerOf(actor, access), body.pinned);
      return readPost(params.forum_id, params.post_id, actor.userId);
    },
  ),

  post(
    '/:post_id/lock/',
    {
      ...moderates,
      summary: 'Lock or unlock a thread',
      description: 'Only moderators can comment on a locked thread. Repeating the request changes nothing.',
      operationId: 'lockForumPost',
      body: LockBody,
      errors: [forum_archived, text_deleted],
    },
    async ({ actor, params, body }) => {
      const access = await lockInForum(actor, params.forum_id, postPolicy, 'moderate');
      await lockThread(params.forum_id, params.post_id, viewerOf(actor, access), body.locked);
      return readPost(params.forum_id, params.post_id, actor.userId);
    },
  ),

  post(
    '/:post_id/read/',
    {
      ...reads,
      summary: 'Mark a thread as read',
      description: 'Up to its last activity, with its notifications. Repeating the request changes nothing.',
      operationId: 'markForumThreadRead',
      status: 204,
    },
    async ({ actor, params }) => {
      await inForum(actor, params.forum_id, postPolicy, 'read');
      const thread = { forumId: params.forum_id, postId: params.post_id };
      await requirePost(thread, actor.userId);
      await readThread(thread, actor.userId);
      await markSubjectRead(actor.userId, { type: 'forum_post', id: params.post_id });
    },
  ),
]);
