/** What is set of memberships that are there, with all that follows from it. */
import { auditAll } from '../../database/audit.js';
import { currentOrganization, rows } from '../../database/rows.js';
import { aboveOrganizations } from '../above.js';
import { endRequests } from '../requests/endRequests.js';
import { isTerminal, type MembershipRole, type MembershipStatus } from '../vocabulary.js';
import { type Edit, editMemberships } from './changeMembers.js';

export interface Update {
  edit: Edit;
  /** Of the fields that the edit sets; an office that ends with a status is added. */
  before: Record<string, unknown>;
  role: MembershipRole;
}

/**
 * Sets fields of locked memberships. As with a change by hand, a terminal status settles the member's debt from their own
 * credit, and open requests are closed.
 */
export async function updateMembers(importId: string, updates: readonly Update[]): Promise<void> {
  if (updates.length === 0) return;
  await editMemberships(updates.map(({ edit }) => edit));
  const moved = updates.filter(({ edit }) => 'status' in edit.fields);
  const ended = moved.filter(({ edit }) => isTerminal(edit.fields['status'] as MembershipStatus));
  if (ended.length > 0) await aboveOrganizations().endMemberAccounts(ended.map(({ edit }) => edit.id));
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
      const is = roles.get(id) ?? role;
      const also = is !== role && !('role' in fields);
      if (also) before['role'] = role;
      return {
        action: 'membership.updated',
        subjectType: 'membership',
        subjectId: id,
        person: { membershipId: id },
        before,
        after: { ...fields, ...(also && { role: is }), import_id: importId },
      };
    }),
  );
}

async function rolesOf(memberships: string[]): Promise<Map<string, MembershipRole>> {
  const found = await rows<{ id: string; role: MembershipRole }>(
    'SELECT id, role FROM memberships WHERE organization_id = $1 AND id = ANY ($2)',
    [currentOrganization(), memberships],
  );
  return new Map(found.map(({ id, role }) => [id, role]));
}
