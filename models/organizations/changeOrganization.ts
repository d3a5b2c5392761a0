import { type Edit, editRow, lockForEdit } from '../database/model/change.js';
import { requireTimezone } from '../database/timezones.js';
import { revokeSessionsIn } from '../identity/revokeSessions.js';
import { Organization } from './Organization.js';

/**
 * Changes an organization. When it is suspended, all its sessions are revoked. @throws Refusal not_found,
 * stale_version, validation_error, duplicate
 */
export async function changeOrganization(id: string, edit: Edit<Organization>): Promise<void> {
  await requireTimezone(edit.timezone);
  const organization = await lockForEdit(Organization, id);
  const changed = await editRow(organization, edit);
  if (changed.includes('is_active') && !organization.is_active) await revokeSessionsIn(id, 'organization_suspended');
}
