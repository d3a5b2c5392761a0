import { defineErrors } from '../errors.js';

export const forumErrors = defineErrors({
  forum_archived: [409, 'This forum is archived. A forum admin can open it again.'],
  forum_not_empty: [409, 'This forum has posts, so it cannot be deleted. Archive it instead.'],
  forum_membership_required: [403, 'Only members of this forum may write here. Join it first.'],
  forum_removed: [403, 'You were removed from this forum. You can come back by an invitation.'],
  forum_not_open: [409, 'This forum is not open. Ask for an invitation, or request to join.'],
  forum_not_requestable: [409, 'This forum takes no requests to join.'],
  already_forum_member: [409, 'This person is already a member of the forum.'],
  forum_invitation_closed: [409, 'This invitation was answered, or has expired. Ask to be invited again.'],
  already_decided: [409, 'This was already decided.'],
  last_forum_admin: [409, 'A forum needs at least one admin. Make another member an admin first.'],
  too_many_pins: [409, 'A forum has at most five pinned posts. Unpin another one first.'],
  thread_locked: [409, 'This thread is locked. Only moderators can comment on it.'],
  attachment_type: [
    400,
    'Attach a png, jpeg, webp, pdf, docx, xlsx, pptx, txt or csv file, whose name, declared type and content agree.',
  ],
  too_many_mentions: [400, 'A text can mention at most 20 people.'],
  text_deleted: [409, 'This text was deleted and can no longer be changed or answered.'],
  post_not_published: [409, 'This post waits for the decision of a moderator. Comment on it once it is published.'],
  moderation_blocked: [422, 'A moderation rule of the organization does not allow this text. Change it.'],
  too_many_rules: [409, 'An organization has at most 500 moderation rules. Delete one first.'],
  text_not_removed: [409, 'This text is not removed, so there is nothing to appeal against.'],
  already_appealed: [409, 'You have already appealed against the removal of this text.'],
  appeal_expired: [409, 'An appeal is possible for 14 days after the removal.'],
});
