/** The earlier words of posts and comments. */
import { z } from 'zod';
import { moment, version } from '../../../models/fields.js';
import { requireForumAccess } from '../../../models/forums/forums/forumAccess.js';
import { MAX_REVISIONS } from '../../../models/forums/revisions/keepRevision.js';
import { findAuthor, listRevisions } from '../../../models/forums/revisions/readRevisions.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, forumModerator, policy, self } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { CommentParams } from '../comments/schema.js';
import { forums } from '../fields.js';
import { PostParams } from '../posts/schema.js';
import { author } from '../textSchema.js';

/** Other members do not read what a text said before: an edit may remove what is not meant for them. */
const revisionPolicy = policy('forum revision', { read: [self, forumModerator] });

const RevisionJson = z
  .object({
    version,
    title: z.string().nullable().meta({ description: 'Null for a comment.' }),
    body: z.string().meta({ description: 'The Markdown.' }),
    body_html: z.string(),
    replaced_by: author.meta({ description: 'The person whose edit replaced these words.' }),
    replaced_at: moment,
  })
  .meta({ id: 'ForumRevision' });

interface TextParams {
  forum_id: string;
  post_id: string;
  comment_id?: string;
}

/** Returns the route below the address of a text. */
const revisionsOf = (address: string, kind: 'Post' | 'Comment', params: z.ZodType<TextParams>) =>
  routes(address, [
    get(
      '/revisions/',
      {
        ...forums,
        params,
        summary: `List the earlier words of a ${kind.toLowerCase()}, the newest first`,
        description: `For its author and moderators. At most ${MAX_REVISIONS}; a deleted text has none.`,
        operationId: `listForum${kind}Revisions`,
        rule: by(revisionPolicy, 'read'),
        query: z.object(pageQuery),
        response: pageOf(RevisionJson),
      },
      async ({ actor, params: { forum_id: forumId, post_id: postId, comment_id: commentId }, query, request }) => {
        const key = { forumId, postId, commentId };
        const access = await requireForumAccess(forumId, actor.userId);
        const found = await findAuthor(key, actor.userId);
        authorize(actor, revisionPolicy, 'read', { ...access, ...found });
        return presentPage(await listRevisions(key, pageRequest(query)), query, request, (row) => row);
      },
    ),
  ]);

const POST = '/api/forums/:forum_id/posts/:post_id';

export const forumRevisionRoutes = [
  ...revisionsOf(POST, 'Post', PostParams),
  ...revisionsOf(`${POST}/comments/:comment_id`, 'Comment', CommentParams),
];
