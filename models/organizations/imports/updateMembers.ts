/** Updates existing memberships, with the consequences of a changed status. */
import { auditAll } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { organizationsUpstream } from '../upstream.js';
import { endRequests } from '../requests/endRequests.js';
import { isTerminal, type MembershipRole, type MembershipStatus } from '../vocabulary.js';
import { type Edit, editMemberships } from './changeMembers.js';

export interface Update {
  edit: Edit;
  /**
   * Earlier values of the fields that the edit sets. If the change of status also ends an office, the earlier role is
   * added.
   */
  before: Record<string, unknown>;
  role: MembershipRole;
}

/**
 * Sets fields of locked memberships. Like `changeMembership`, it has two effects of a changed status: on a terminal
 * status it pays the member's debt from the member's own credit, and it closes open requests.
 */
export async function updateMembers(importId: string, updates: readonly Update[]): Promise<void> {
  if (updates.length === 0) return;
  await editMemberships(updates.map(({ edit }) => edit));
  const moved = updates.filter(({ edit }) => 'status' in edit.fields);
  const ended = moved.filter(({ edit }) => isTerminal(edit.fields['status'] as MembershipStatus));
  if (ended.length > 0) await organizationsUpstream().endMemberAccounts(ended.map(({ edit }) => edit.id));
  await endRequests(
    moved.map(({ edit, before }) => ({
      membership: edit.id,
      from: before['status'] as MembershipStatus,
      to: edit.fields['status'] as MembershipStatus,
    })),
  );
  const roles = moved.length > 0 ? await rolesOf(moved.map(({ edit }) => edit.id)) : new Map<string, MembershipRole>();
  await auditAll(
    updates.map(({ edit: { id, fields }, before, role }) => {
      const currentRole = roles.get(id) ?? role;
      const hasLostOffice = currentRole !== role && !('role' in fields);
      if (hasLostOffice) before['role'] = role;
      return {
        action: 'membership.updated',
        subjectType: 'membership',
        subjectId: id,
        person: { membershipId: id },
        before,
        after: { ...fields, ...(hasLostOffice && { role: currentRole }), import_id: importId },
      };
    }),
  );
}

async function rolesOf(memberships: string[]): Promise<Map<string, MembershipRole>> {
  const members = await rows<{ id: string; role: MembershipRole }>(
    'SELECT id, role FROM memberships WHERE organization_id = $1 AND id = ANY ($2)',
    [currentOrganization(), memberships],
  );
  return new Map(members.map(({ id, role }) => [id, role]));
}
