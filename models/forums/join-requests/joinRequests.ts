/** Requests to join a forum: a state of the row of a person. */
import { audit } from '../../database/audit.js';
import { editRow, lockForEdit, now } from '../../database/model/change.js';
import { currentOrganization, firstRow, oneRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { notify } from '../../notifications/notify.js';
import { forumErrors } from '../errors.js';
import { findForumAccess } from '../forums/forumAccess.js';
import { ForumMembership } from '../members/ForumMembership.js';
import { activateMember, lockPersonAndForum } from '../members/joinForum.js';
import { notifications } from '../notifications.js';

/**
 * Requests to join a forum whose moderators approve members.
 * @returns the id of the request, and whether it is new
 * @throws Refusal not_found, forum_archived, already_forum_member, forum_not_requestable
 */
export async function requestToJoin(
  forumId: string,
  userId: string,
  message: string | null,
): Promise<{ id: string; isNew: boolean }> {
  await requireRequestable(forumId, userId);
  await lockPersonAndForum(userId, forumId);
  await requireRequestable(forumId, userId);
  const waiting = await firstRow<{ id: string }>(
    `SELECT id FROM forum_memberships
      WHERE organization_id = $1 AND forum_id = $2 AND user_id = $3 AND status = 'requested'`,
    [currentOrganization(), forumId, userId],
  );
  if (waiting) return { id: waiting.id, isNew: false };
  const { id, since } = await oneRow<{ id: string; since: string }>(
    `INSERT INTO forum_memberships (organization_id, forum_id, user_id, status, message)
     VALUES ($1, $2, $3, 'requested', $4)
     ON CONFLICT ON CONSTRAINT forum_memberships_person DO UPDATE
       SET role = 'member', status = 'requested', status_since = now(), message = excluded.message,
           by_invitation = false, invitation_expires_at = NULL, decided_by = NULL, note = NULL
     RETURNING id, extract(epoch FROM status_since)::text AS since`,
    [currentOrganization(), forumId, userId, message],
  );
  await notify(notifications.forum_join_requested, [id], { actor: userId, cause: `requested:${since}` });
  return { id, isNew: true };
}

async function requireRequestable(forumId: string, userId: string): Promise<void> {
  const access = await findForumAccess(forumId, userId);
  const isDiscoverable = access?.visibility === 'approval_required' && access.may_join;
  if (!access || (access.forum_role === null && !isDiscoverable)) throw refuse.not_found();
  if (access.status === 'active') throw forumErrors.already_forum_member();
  if (!isDiscoverable) throw forumErrors.forum_not_requestable();
  if (access.is_archived) throw forumErrors.forum_archived();
}

/** The person who requested to join. @throws Refusal not_found */
export const requesterOf = async (forumId: string, id: string): Promise<string> => {
  const row = await firstRow<{ user_id: string }>(
    'SELECT user_id FROM forum_memberships WHERE organization_id = $1 AND forum_id = $2 AND id = $3',
    [currentOrganization(), forumId, id],
  );
  if (row === null) throw refuse.not_found();
  return row.user_id;
};

/**
 * Approves or rejects a request. The caller has locked the requester and the forum.
 * @throws Refusal not_found, already_decided
 */
export async function decideJoinRequest(
  forumId: string,
  id: string,
  { by, approves, note }: { by: string; approves: boolean; note: string | null },
): Promise<void> {
  const row = await lockForEdit(ForumMembership, { id, forum_id: forumId });
  if (row.status !== 'requested') throw forumErrors.already_decided();
  const cause = `decided:${row.status_since.toISOString()}`;
  if (approves) await activateMember(forumId, row.user_id, { decision: { by, note } });
  else await editRow(row, { status: 'rejected', status_since: now, decided_by: by, note });
  await notify(notifications.forum_join_decided, [id], { actor: by, cause });
  await audit({
    action: `forum_membership.${approves ? 'approved' : 'rejected'}`,
    subjectType: 'forum_membership',
    subjectId: id,
    person: { userId: row.user_id },
    after: { note },
  });
}
