import { type Edit, editRow, lockRow } from '../database/model/change.js';
import { oneRow } from '../database/rows.js';
import { invalid } from '../errors.js';
import { revokeSessionsIn } from '../identity/revokeSessions.js';
import { Organization } from './Organization.js';

/** One that is suspended by it has no sessions any more. @throws Refusal not_found, stale_version, validation_error, duplicate */
export async function changeOrganization(id: string, edit: Edit<Organization>): Promise<void> {
  await requireTimezone(edit.timezone);
  const organization = await lockRow(Organization, id);
  const changed = await editRow(organization, edit);
  if (changed.includes('is_active') && !organization.is_active) await revokeSessionsIn(id, 'organization_suspended');
}

/** Postgres, which computes each organization's 'today', has to know the name. @throws Refusal validation_error */
export async function requireTimezone(name: string | undefined): Promise<void> {
  if (name === undefined) return;
  const { known } = await oneRow<{ known: boolean }>(
    'SELECT EXISTS (SELECT 1 FROM pg_timezone_names WHERE name = $1) AS known',
    [name],
  );
  if (!known) throw invalid('timezone', 'Must be a name of the tz database, for example America/New_York.');
}
