/** Makes people members of a forum: by reading, by writing, and by joining. */
import { currentOrganization, rows } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { lockPerson } from '../../identity/lockPerson.js';
import { forumErrors } from '../errors.js';
import { lockForum, requireForumAccess } from '../forums/forumAccess.js';
import type { MemberRole } from '../vocabulary.js';

interface Activation {
  role?: MemberRole;
  byInvitation?: boolean;
  /** The person who approved the request to join, and the note for the requester. */
  decision?: { by: string; note: string | null };
}

/**
 * Makes a person an active member. Every way to become a member calls this, with the person and the forum locked.
 * Does nothing for an active member.
 */
export async function activateMember(
  forumId: string,
  userId: string,
  { role = 'member', byInvitation = false, decision }: Activation = {},
): Promise<void> {
  await rows(
    `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status, by_invitation, decided_by, note)
     VALUES ($1, $2, $3, $4, 'active', $5, $6, $7)
     ON CONFLICT ON CONSTRAINT forum_memberships_person DO UPDATE
       SET role = $4, status = 'active', status_since = now(), by_invitation = $5, invitation_expires_at = NULL,
           decided_by = $6, note = $7
     WHERE forum_memberships.status <> 'active'`,
    [currentOrganization(), forumId, userId, role, byInvitation, decision?.by ?? null, decision?.note ?? null],
  );
}

/** Locks a person and a forum, in the order that the triggers of memberships use. */
export async function lockPersonAndForum(userId: string, forumId: string): Promise<void> {
  await lockPerson(userId);
  await lockForum(forumId);
}

/** Makes a person a member who reads an open forum, or writes there, for the first time. */
export async function joinByReading(forumId: string, userId: string): Promise<void> {
  await lockPersonAndForum(userId, forumId);
  const { joins } = await requireForumAccess(forumId, userId);
  if (joins) await activateMember(forumId, userId);
}

/**
 * Makes a person a member of an open forum, also again. Repeating it changes nothing.
 * @throws Refusal not_found, forum_archived, forum_removed, forum_not_open, forbidden
 */
export async function joinForum(forumId: string, userId: string): Promise<void> {
  await requireForumAccess(forumId, userId);
  await lockPersonAndForum(userId, forumId);
  const { status, visibility, is_archived, may_join } = await requireForumAccess(forumId, userId);
  if (status === 'active') return;
  if (is_archived) throw forumErrors.forum_archived();
  if (status === 'removed') throw forumErrors.forum_removed();
  if (visibility !== 'open') throw forumErrors.forum_not_open();
  if (!may_join) throw refuse.forbidden('Only members of this chapter, region or organization can join the forum.');
  await activateMember(forumId, userId);
}
