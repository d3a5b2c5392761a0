export const FORUM_VISIBILITIES = ['open', 'approval_required', 'invite_only'] as const;
/** Roles of members. */
export const MEMBER_ROLES = ['member', 'moderator', 'admin'] as const;
/** What `app.forum_role` returns: roles of members, held also by office, and readers of an open forum. */
export const FORUM_ROLES = ['reader', ...MEMBER_ROLES] as const;
export const MEMBER_STATUSES = [
  'active',
  'invited',
  'declined',
  'requested',
  'rejected',
  'left',
  'removed',
  'ended',
] as const;
export const ATTACHMENT_KINDS = ['image', 'document'] as const;
/** `processing`: the file is being scanned. `refused`: it was infected, and is removed. */
export const ATTACHMENT_STATUSES = ['processing', 'ready', 'refused'] as const;
export const FORUM_CREATORS = ['admins', 'admins_and_officers'] as const;

export type ForumVisibility = (typeof FORUM_VISIBILITIES)[number];
export type MemberRole = (typeof MEMBER_ROLES)[number];
export type ForumRole = (typeof FORUM_ROLES)[number];
export type MemberStatus = (typeof MEMBER_STATUSES)[number];
/** The kinds of people who delete a text. */
export const DELETIONS = ['author', 'moderator'] as const;
/** States of a post or a comment. One that waits for a decision is pending if a rule flagged it, hidden if members did. */
export const TEXT_STATUSES = ['published', 'pending_review', 'hidden', 'removed'] as const;
export type TextStatus = (typeof TEXT_STATUSES)[number];
export const RULE_KINDS = ['keyword', 'link'] as const;
export const RULE_ACTIONS = ['flag', 'block'] as const;
export const CASE_STATUSES = ['open', 'approved', 'removed', 'appealed', 'closed'] as const;
/** How a case was opened: by a rule, by the flag of a member, or by a moderator who deleted the text. */
export const CASE_ORIGINS = ['rule', 'flag', 'moderator'] as const;
export const CASE_DECISIONS = ['approve', 'remove'] as const;
