/** Tenants come, are suspended and come back. Each operation opens a transaction of the tenant that it is about. */
import { audit } from '../database/audit.js';
import type { Origin } from '../database/connection.js';
import { oneRow, rows } from '../database/rows.js';
import { inTenant } from '../database/tenancy.js';
import { uuidv7 } from '../database/uuid.js';
import { invalid } from '../errors.js';
import { changeOrganization } from '../organizations/changeOrganization.js';
import type { NamedAddress } from '../organizations/invitations/findPerson.js';
import { inviteOrganizationAdmin } from '../organizations/admins.js';
import { type OrganizationRow, readOrganization } from '../organizations/readOrganizations.js';

export interface NewOrganization {
  name: string;
  slug: string;
  org_type?: string | undefined;
  timezone?: string | undefined;
  /** Who is invited to administer it first. */
  admin?: NamedAddress | undefined;
}

/** @throws Refusal duplicate for a slug that is taken, validation_error */
export function createOrganization({ admin, ...given }: NewOrganization, origin: Origin): Promise<OrganizationRow> {
  const id = uuidv7();
  return inTenant(
    id,
    async () => {
      await requireTimezone(given.timezone);
      const { name, slug, org_type = 'fraternity', timezone = 'UTC' } = given;
      await rows('INSERT INTO organizations (id, name, slug, org_type, timezone) VALUES ($1, $2, $3, $4, $5)', [
        id,
        name,
        slug,
        org_type,
        timezone,
      ]);
      const after = { name, slug, org_type, timezone };
      await audit({ action: 'organization.created', subjectType: 'organization', subjectId: id, after });
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

/** Postgres computes each organization's 'today'. */
async function requireTimezone(name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { known } = await oneRow<{ known: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM pg_timezone_names WHERE name = $1) AS known',
    [name],
  );
  if (!known) throw invalid('timezone', 'Must be a name of the tz database, for example America/New_York.');
}
