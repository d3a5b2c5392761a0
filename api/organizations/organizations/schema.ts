import { z } from 'zod';
import { ordering, pageQuery } from '../../http/pagination.js';
import { editBody, rowJson } from '../../../models/database/model/schemas.js';
import { flag, searchText } from '../../../models/fields.js';
import { Organization } from '../../../models/organizations/Organization.js';

export const OrganizationFilters = z.object({
  ...pageQuery,
  is_active: flag.optional(),
  without_admin: flag.optional().meta({ description: 'Whether the organization has no admin. For platform admins.' }),
  search: searchText.meta({ description: 'Searches name and slug.' }),
  ordering: ordering({ name: 'o.name', slug: 'o.slug', created_at: 'o.created_at' }, 'name'),
});

export const OrganizationEdit = editBody(Organization);

export const OrganizationJson = rowJson(Organization);
