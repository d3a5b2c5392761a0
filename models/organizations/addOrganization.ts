import { createRow } from '../database/model/change.js';
import { requireTimezone } from '../database/timezones.js';
import { Organization } from './Organization.js';

export interface NewOrganization {
  name: string;
  slug: string;
  org_type?: string | undefined;
  timezone?: string | undefined;
}

/**
 * Creates the organization. The transaction must be in the tenant with the new organization's id.
 * @throws Refusal duplicate for a slug that is taken, validation_error
 */
export async function addOrganization(id: string, organization: NewOrganization): Promise<void> {
  await requireTimezone(organization.timezone);
  await createRow(Organization, { id, ...organization });
}
