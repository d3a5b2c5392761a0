/** Invitations to a forum: a state of the row of a person. */
import { audit } from '../../database/audit.js';
import { lockForEdit, lockForEditIfExists, editRow, now } from '../../database/model/change.js';
import { currentOrganization, oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { forumErrors } from '../errors.js';
import { findForumAccess } from '../forums/forumAccess.js';
import { ForumMembership } from '../members/ForumMembership.js';
import { activateMember, lockPersonAndForum } from '../members/joinForum.js';
import { notifications } from '../notifications.js';
import type { MemberRole } from '../vocabulary.js';

const VALID_DAYS = 30;

/**
 * Invites a person, also again. The caller has locked the person and the forum.
 * @returns the id of the invitation
 * @throws Refusal already_forum_member
 */
export async function inviteToForum(
  forumId: string,
  { user, role, by }: { user: string; role: MemberRole; by: string },
): Promise<string> {
  const key = { forum_id: forumId, user_id: user };
  if ((await lockForEditIfExists(ForumMembership, key))?.status === 'active') throw forumErrors.already_forum_member();
  const { id, since } = await oneRow<{ id: string; since: string }>(
    `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status, invited_by, invitation_expires_at)
     VALUES ($1, $2, $3, $4, 'invited', $5, now() + make_interval(days => $6))
     ON CONFLICT ON CONSTRAINT forum_memberships_person DO UPDATE
       SET role = excluded.role, status = 'invited', status_since = now(), invited_by = excluded.invited_by,
           invitation_expires_at = excluded.invitation_expires_at, message = NULL, decided_by = NULL, note = NULL
     RETURNING id, extract(epoch FROM status_since)::text AS since`,
    [currentOrganization(), forumId, user, role, by, VALID_DAYS],
  );
  await notify(notifications.forum_invited, [id], { actor: by, cause: `invited:${since}` });
  await audit({
    action: 'forum_membership.invited',
    subjectType: 'forum_membership',
    subjectId: id,
    person: { userId: user },
    after: { role },
  });
  return id;
}

/**
 * Locks the invitation of a person who answers it.
 * @throws Refusal not_found for an invitation of another person, forum_invitation_closed
 */
async function lockInvitation(forumId: string, id: string, userId: string): Promise<ForumMembership> {
  const key = { id, forum_id: forumId, user_id: userId };
  await lockPersonAndForum(userId, forumId);
  const row = await lockForEdit(ForumMembership, key);
  // Only a person who was invited may learn that the forum exists.
  if (row.invited_by === null) throw refuse.not_found();
  return row;
}

const isOpen = ({ status, invitation_expires_at: expiresAt }: ForumMembership): boolean =>
  status === 'invited' && expiresAt !== null && expiresAt > new Date();

/**
 * Makes the invited person a member. Repeating it changes nothing.
 * @throws Refusal not_found, forum_archived, forum_invitation_closed
 */
export async function acceptForumInvitation(forumId: string, id: string, userId: string): Promise<void> {
  const row = await lockInvitation(forumId, id, userId);
  if (row.status === 'active') return;
  if (!isOpen(row)) throw forumErrors.forum_invitation_closed();
  if ((await findForumAccess(forumId, userId))?.is_archived) throw forumErrors.forum_archived();
  await activateMember(forumId, userId, { role: row.role, byInvitation: true });
}

/** Declines an invitation. Repeating it changes nothing. @throws Refusal not_found, forum_invitation_closed */
export async function declineForumInvitation(forumId: string, id: string, userId: string): Promise<void> {
  const row = await lockInvitation(forumId, id, userId);
  if (row.status === 'declined') return;
  if (!isOpen(row)) throw forumErrors.forum_invitation_closed();
  await editRow(row, { status: 'declined', status_since: now, invitation_expires_at: null });
}
