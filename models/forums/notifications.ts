/** Notifications of forums. All notifications of one text have the same event: `forum_post:<post id>:<cause>`. */
import { defineAudiences } from '../notifications/audiences.js';
import { defineNotifications } from '../notifications/types.js';

const text = {
  subject: 'forum_post',
  path: '/forums/{forum_id}/posts/{subject}{anchor}',
  action: null,
  needsAccess: true,
  skipsUnseen: true,
  facts: 'forum_text_facts',
  factsOfCause: true,
  recipients: null,
  unknownMail: 'never',
} as const;

const membership = {
  subject: 'forum_membership',
  needsAccess: true,
  facts: 'forum_membership_facts',
  unknownMail: 'again',
} as const;

export const notifications = defineNotifications({
  forum_mention: {
    ...text,
    event: 'mention',
    who: 'People whom a post or comment names, if they see it',
    cause: 'post',
    title: '{author} mentioned you in "{title}"',
    body: 'In the forum {forum}.',
  },
  forum_reply: {
    ...text,
    event: 'reply_to_post',
    who: 'People subscribed to replies in the thread or in all threads of the forum, except the author of the comment',
    cause: 'comment',
    title: '{author} replied in "{title}"',
    body: 'In the forum {forum}.',
  },
  forum_new_post: {
    ...text,
    event: 'new_post',
    who: 'People subscribed to new posts of the forum, except the author',
    cause: 'post',
    title: 'New post in {forum}: {title}',
    body: 'By {author}.',
  },
  forum_join_requested: {
    ...membership,
    event: 'approval_requested',
    who: 'Moderators and admins of the forum, by role or by office, except the requester',
    cause: 'requested',
    title: '{person} asks to join the forum {forum}',
    body: 'Approve or reject the request.',
    path: '/forums/{forum_id}/join-requests',
    action: 'Review',
    recipients: 'forum_join_deciders',
  },
  forum_join_decided: {
    ...membership,
    event: 'request_decided',
    who: 'The person who requested to join',
    cause: 'decided',
    title: 'Your request to join the forum {forum} was {decision}',
    body: 'It was {decision}.{note}',
    path: '/forums/{forum_id}',
    action: null,
    recipients: 'forum_membership_person',
  },
  forum_invited: {
    ...membership,
    event: 'approval_requested',
    who: 'The invited person',
    cause: 'invited',
    title: 'You are invited to the forum {forum}',
    body: 'Accept or decline the invitation within 30 days.',
    path: '/forums/{forum_id}',
    action: 'Answer',
    recipients: 'forum_membership_person',
  },
});

/** Audiences of texts; the id is that of the text. */
export const audiences = defineAudiences({
  forum_post_subscribers: 'forum_post_subscribers',
  forum_comment_subscribers: 'forum_comment_subscribers',
});
