/** Tenants come, are suspended and come back. Each operation opens a transaction of the tenant that it is about. */
import type { Origin } from '../database/connection.js';
import { inTenant } from '../database/tenancy.js';
import { uuidv7 } from '../database/uuid.js';
import { addOrganization, type NewOrganization } from '../organizations/addOrganization.js';
import { changeOrganization } from '../organizations/changeOrganization.js';
import type { NamedAddress } from '../organizations/invitations/findPerson.js';
import { inviteOrganizationAdmin } from '../organizations/admins.js';
import { type OrganizationRow, readOrganization } from '../organizations/readOrganizations.js';

/** @param admin who is invited to administer it first. @throws Refusal duplicate for a slug that is taken, validation_error */
export function createOrganization(
  { admin, ...given }: NewOrganization & { admin?: NamedAddress | undefined },
  origin: Origin,
): Promise<OrganizationRow> {
  const id = uuidv7();
  return inTenant(
    id,
    async () => {
      await addOrganization(id, given);
      if (admin) await inviteOrganizationAdmin(admin);
      return present(id);
    },
    { origin },
  );
}

/** Suspending ends the organization's sessions. Again changes nothing. @throws Refusal not_found */
export const setActive = (id: string, isActive: boolean, origin: Origin): Promise<OrganizationRow> =>
  inTenant(
    id,
    async () => {
      await changeOrganization(id, { is_active: isActive });
      return present(id);
    },
    { origin },
  );

async function present(id: string): Promise<OrganizationRow> {
  const row = await readOrganization(id);
  if (!row) throw new Error('An organization that was there a moment ago is gone.');
  return row;
}
