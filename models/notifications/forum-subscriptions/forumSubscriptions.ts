/** Subscriptions in forums. The row of a thread wins over that of its forum. Triggers make and end the row of a forum. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { muteSubject, unmuteSubject } from '../mutes.js';

export interface ForumSubscription {
  new_posts: boolean;
  replies: boolean;
}

export interface ThreadSubscription {
  replies: boolean;
  muted: boolean;
}

/** A change: fields that are left out stay. */
type Change<Subscription> = { [Field in keyof Subscription]?: Subscription[Field] | undefined };

/** A thread and its forum. */
interface Thread {
  forumId: string;
  postId: string;
}

const OF_FORUM = 's.organization_id = $1 AND s.forum_id = $2 AND s.user_id = $3 AND s.post_id IS NULL';

/** Reads what a person hears of a forum: nothing without a row. */
export const readForumSubscription = (forumId: string, userId: string): Promise<ForumSubscription> =>
  oneRow<ForumSubscription>(
    `SELECT coalesce(bool_or(s.new_posts), false) AS new_posts, coalesce(bool_or(s.replies), false) AS replies
       FROM forum_subscriptions s WHERE ${OF_FORUM}`,
    [currentOrganization(), forumId, userId],
  );

export const saveForumSubscription = (
  forumId: string,
  userId: string,
  { new_posts, replies }: Change<ForumSubscription>,
): Promise<unknown> =>
  rows(
    `INSERT INTO forum_subscriptions AS s (organization_id, forum_id, user_id, new_posts, replies)
     VALUES ($1, $2, $3, coalesce($4, false), coalesce($5, false))
     ON CONFLICT ON CONSTRAINT forum_subscriptions_once
       DO UPDATE SET new_posts = coalesce($4, s.new_posts), replies = coalesce($5, s.replies)`,
    [currentOrganization(), forumId, userId, new_posts ?? null, replies ?? null],
  );

/** Reads what a person hears of a thread, by its own row or that of the forum. */
export const readThreadSubscription = ({ forumId, postId }: Thread, userId: string): Promise<ThreadSubscription> =>
  oneRow<ThreadSubscription>(
    `SELECT coalesce((SELECT s.replies FROM forum_subscriptions s
                       WHERE s.organization_id = $1 AND s.post_id = $4 AND s.user_id = $3),
                     (SELECT s.replies FROM forum_subscriptions s WHERE ${OF_FORUM}), false) AS replies,
            EXISTS (SELECT FROM notification_mutes m WHERE m.organization_id = $1 AND m.user_id = $3
                       AND m.subject_type = 'forum_post' AND m.subject_id = $4) AS muted`,
    [currentOrganization(), forumId, userId, postId],
  );

export async function saveThreadSubscription(
  { forumId, postId }: Thread,
  userId: string,
  { replies, muted }: Change<ThreadSubscription>,
): Promise<void> {
  if (replies !== undefined)
    await rows(
      `INSERT INTO forum_subscriptions (organization_id, forum_id, post_id, user_id, replies) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT ON CONSTRAINT forum_subscriptions_once DO UPDATE SET replies = excluded.replies`,
      [currentOrganization(), forumId, postId, userId, replies],
    );
  const thread = { type: 'forum_post', id: postId };
  if (muted !== undefined) await (muted ? muteSubject : unmuteSubject)(userId, thread);
}

/** Subscribes the author of a text to its thread, unless the person has chosen. */
export const followThread = ({ forumId, postId }: Thread, userId: string): Promise<unknown> =>
  rows(
    `INSERT INTO forum_subscriptions (organization_id, forum_id, post_id, user_id, replies) VALUES ($1, $2, $3, $4, true)
     ON CONFLICT ON CONSTRAINT forum_subscriptions_once DO NOTHING`,
    [currentOrganization(), forumId, postId, userId],
  );
