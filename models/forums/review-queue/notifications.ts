/** Notifications about decisions on texts of forums. They say neither who flagged a text nor what the text says. */
import { defineNotifications } from '../../notifications/types.js';

const forCase = { subject: 'forum_case', needsAccess: true, unknownMail: 'again', facts: 'forum_case_facts' } as const;
const forDeciders = {
  ...forCase,
  event: 'approval_requested',
  path: '/forums/review-queue/{subject}',
  action: 'Decide',
  recipients: 'forum_case_deciders',
} as const;
const forAuthor = {
  ...forCase,
  event: 'request_decided',
  path: '/forums/{forum_id}/posts/{post}',
  action: null,
  recipients: 'forum_case_author',
} as const;

export const notifications = defineNotifications({
  forum_case_opened: {
    ...forDeciders,
    who: 'The moderators and admins of the forum, by role or office; never the author of the text',
    cause: 'opened',
    title: 'A {text} in {forum} needs your decision',
    body: 'A {text} in {forum} was flagged. Approve or remove it.',
  },
  forum_appeal_made: {
    ...forDeciders,
    who: 'The admins of the organization, except the one who removed the text and its author',
    cause: 'appealed',
    title: 'An appeal in {forum} needs your decision',
    body: 'The author of a removed {text} has appealed. Your decision is final.',
  },
  forum_text_hidden: {
    ...forAuthor,
    who: 'The author of the text',
    cause: 'hidden',
    title: 'Your {text} in {forum} is hidden',
    body: 'Members have flagged it. It stays hidden until a moderator decides.',
  },
  forum_case_decided: {
    ...forAuthor,
    who: 'The author of the text',
    cause: 'decided',
    title: 'Your {text} in {forum} was {decision}',
    body: 'A moderator has decided: {decision}.{reason}',
  },
  forum_appeal_decided: {
    ...forAuthor,
    who: 'The author of the text',
    cause: 'appeal_decided',
    title: 'Your appeal in {forum} was decided',
    body: 'Your {text} is finally {decision}.{reason}',
  },
  forum_text_changed: {
    event: 'request_decided',
    who: 'The author of the text',
    subject: 'forum_text',
    cause: 'changed',
    title: 'A moderator changed your {text} in {forum}',
    body: 'Read your {text} as it is now.',
    path: '/forums/{forum_id}/posts/{post}',
    action: null,
    needsAccess: true,
    unknownMail: 'again',
    facts: 'forum_edit_facts',
    recipients: 'forum_text_author',
  },
});
