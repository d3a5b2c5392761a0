/** Creates, suspends and reactivates organizations. Each operation opens a transaction of the tenant concerned. */
import type { Origin } from '../database/connection.js';
import { inTenant } from '../database/tenancy.js';
import { uuidv7 } from '../database/uuid.js';
import { addOrganization, type NewOrganization } from '../organizations/addOrganization.js';
import { changeOrganization } from '../organizations/changeOrganization.js';
import type { NamedAddress } from '../organizations/invitations/findPerson.js';
import { inviteOrganizationAdmin } from '../organizations/admins.js';
import { type OrganizationRow, readOrganization } from '../organizations/readOrganizations.js';

/**
 * Creates an organization. @param admin the first admin to invite. @throws Refusal duplicate when the slug is in use,
 * validation_error
 */
export function createOrganization(
  { admin, ...newOrganization }: NewOrganization & { admin?: NamedAddress | undefined },
  origin: Origin,
): Promise<OrganizationRow> {
  const id = uuidv7();
  return inTenant(
    id,
    async () => {
      await addOrganization(id, newOrganization);
      if (admin) await inviteOrganizationAdmin(admin);
      return requireOrganization(id);
    },
    { origin },
  );
}

/**
 * Suspends or reactivates an organization. Suspension ends its sessions. Repeated calls change nothing. @throws Refusal
 * not_found
 */
export const setOrganizationActive = (id: string, isActive: boolean, origin: Origin): Promise<OrganizationRow> =>
  inTenant(
    id,
    async () => {
      await changeOrganization(id, { is_active: isActive });
      return requireOrganization(id);
    },
    { origin },
  );

async function requireOrganization(id: string): Promise<OrganizationRow> {
  const row = await readOrganization(id);
  if (!row) throw new Error('The organization was deleted concurrently.');
  return row;
}
