/** Changes members of a forum. The caller has locked the forum, and checked the right under the lock. */
import { audit } from '../../database/audit.js';
import { changeRow, editRow, lockForEdit, now } from '../../database/model/change.js';
import { currentOrganization, firstRow } from '../../database/rows.js';
import { refuse } from '../../errors.js';
import { forumErrors } from '../errors.js';
import type { MemberRole } from '../vocabulary.js';
import { ForumMembership } from './ForumMembership.js';

/** Loads and locks an active member of a forum. @throws Refusal not_found */
export const lockMember = (forumId: string, id: string): Promise<ForumMembership> =>
  lockForEdit(ForumMembership, { id, forum_id: forumId, status: 'active' });

/**
 * Ends the own membership of a person. Repeating it changes nothing.
 * @param mayLeaveLast whether the person may leave the forum without an admin
 * @throws Refusal last_forum_admin
 */
export async function leaveForum(forumId: string, userId: string, mayLeaveLast: boolean): Promise<void> {
  const key = { forum_id: forumId, user_id: userId, status: 'active' } as const;
  const row = await changeRow(ForumMembership, key, { status: 'left', status_since: now });
  if (row?.role === 'admin' && !mayLeaveLast) await requireAdmin(forumId);
}

/** Removes a locked member. @throws Refusal last_forum_admin */
export async function removeMember(row: ForumMembership, mayRemoveLast: boolean): Promise<void> {
  await editRow(row, { status: 'removed', status_since: now });
  await auditMember(row, 'removed', {});
  if (row.role === 'admin' && !mayRemoveLast) await requireAdmin(row.forum_id);
}

/** Changes the role of a locked member. @throws Refusal stale_version, last_forum_admin */
export async function changeRole(
  row: ForumMembership,
  edit: { role: MemberRole; version: number | undefined },
  mayRemoveLast: boolean,
): Promise<void> {
  const { role } = row;
  const changed = await editRow(row, edit);
  if (changed.length === 0) return;
  await auditMember(row, 'updated', { before: { role }, after: { role: edit.role } });
  if (role === 'admin' && !mayRemoveLast) await requireAdmin(row.forum_id);
}

const auditMember = (
  { id, user_id }: ForumMembership,
  verb: string,
  states: { before?: Record<string, unknown>; after?: Record<string, unknown> },
): Promise<void> =>
  audit({
    action: `forum_membership.${verb}`,
    subjectType: 'forum_membership',
    subjectId: id,
    person: { userId: user_id },
    ...states,
  });

async function requireAdmin(forumId: string): Promise<void> {
  const admin = await firstRow(
    `SELECT FROM forum_memberships WHERE organization_id = $1 AND forum_id = $2 AND role = 'admin' AND status = 'active' LIMIT 1`,
    [currentOrganization(), forumId],
  );
  if (admin === null) throw forumErrors.last_forum_admin();
}

/**
 * Requires that the person has access to the organization, by a membership or an office.
 * @throws Refusal validation_error about the field `user`
 */
export async function requireInOrganization(userId: string): Promise<void> {
  const found = await firstRow('SELECT FROM affiliations WHERE organization_id = $1 AND user_id = $2 LIMIT 1', [
    currentOrganization(),
    userId,
  ]);
  if (found === null)
    throw refuse.validation_error(undefined, { user: ['This person has no access to the organization.'] });
}
