/**
 * Realtime topics of forums: `forum:<id>` and `forum_post:<id>`, a thread. Their events contain ids only: clients read
 * what changed over HTTP. They reach the people who see the changed text, or saw it before the change.
 */
import { defineTopics, publish } from '../notifications/realtime/topics.js';
import type { TextIds } from './textIds.js';
import type { TextStatus } from './vocabulary.js';

export interface ThreadKey {
  forumId: string;
  postId: string;
}

/** A busy forum costs at most one check of access in this time, in each process. */
const WINDOW_MS = 500;

/** Post `p` and comment `c` of an event. An event of a forum alone has none. */
const CHANGED_TEXT = {
  columns: `e.event, p.status AS post_status, p.author_id AS post_author, c.status AS comment_status,
    c.author_id AS comment_author, coalesce((e.event ->> 'was_shown')::boolean, false) AS was_shown`,
  joins: `LEFT JOIN forum_posts p ON p.organization_id = (SELECT app.org_id()) AND p.id = (e.event ->> 'post')::uuid
    LEFT JOIN forum_comments c ON c.organization_id = p.organization_id AND c.post_id = p.id
      AND c.id = (e.event ->> 'comment')::uuid`,
  hears: `coalesce((e.event ->> 'only_for')::uuid = w.user_id, true) AND CASE
    WHEN e.event ->> 'post' IS NULL THEN true
    WHEN e.event ->> 'comment' IS NULL
    THEN e.was_shown OR app.sees_forum_text(e.post_status, e.post_author, w.user_id, w.access)
    ELSE app.sees_forum_comments(e.post_status, e.post_author, w.user_id, w.access)
     AND (e.was_shown OR app.sees_forum_text(e.comment_status, e.comment_author, w.user_id, w.access)) END`,
};

defineTopics({
  forum: {
    access: 'app.forum_role(w.organization_id, w.user_id, w.subject_id)',
    audience: CHANGED_TEXT,
    windowMs: WINDOW_MS,
  },
  forum_post: {
    access: `(SELECT own.role
       FROM forum_posts p
      CROSS JOIN LATERAL (SELECT app.forum_role(p.organization_id, w.user_id, p.forum_id) AS role OFFSET 0) own
      WHERE p.organization_id = w.organization_id AND p.id = w.subject_id
        AND app.sees_forum_text(p.status, p.author_id, w.user_id, own.role))`,
    audience: CHANGED_TEXT,
    windowMs: WINDOW_MS,
  },
});

/** Signals that the properties of a forum changed, or that it was deleted. */
export const publishForumChange = (forumId: string): void =>
  publish('forum', forumId, { type: 'forum.changed', forum: forumId });

/**
 * Signals that a text is new or changed. Call it after the change.
 * @param before the status of the text before the change; null for a new one, and if the status did not change
 */
export function publishTextChange(text: TextIds, before: TextStatus | null): void {
  const { forum_id: forum, post_id: post, comment_id: comment } = text;
  // Readers who saw the text hear that they no longer see it. A plain read tells them the same.
  const facts = { was_shown: before === 'published' || before === 'removed' };
  const event = { type: 'forum_thread.changed', forum, post, comment };
  publish('forum', forum, event, facts);
  publish('forum_post', post, event, facts);
}

/** Signals to the other devices of a person that the person has read a thread. */
export function publishThreadRead({ forumId: forum, postId: post }: ThreadKey, userId: string): void {
  const event = { type: 'forum_thread.read', forum, post };
  publish('forum', forum, event, { only_for: userId });
  publish('forum_post', post, event, { only_for: userId });
}
