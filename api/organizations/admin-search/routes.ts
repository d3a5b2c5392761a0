import { invalid } from '../../../models/errors.js';
import { searchAdmins } from '../../../models/organizations/searchAdmins.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { organizationAdminPolicy } from '../admins/policy.js';
import { AdminSearchJson, AdminSearchQuery } from './schema.js';

export const adminSearchRoutes = routes('/api/organizations/:organization_id/admin-search', [
  get(
    '/',
    {
      summary: 'Find active admins by name or address',
      rule: by(organizationAdminPolicy, 'read'),
      description:
        'At most 25 whose office is active and whose account is not disabled: names that begin with the words first.',
      operationId: 'searchAdmins',
      access: 'tenant',
      tags: ['organizations'],
      params: OrganizationParams,
      query: AdminSearchQuery,
      response: AdminSearchJson,
    },
    async ({ actor, query: { q } }) => {
      authorize(actor, organizationAdminPolicy, 'read');
      // Not before: another organization is not there, whatever is asked of it.
      if (!q) throw invalid('q', 'Must not be empty.');
      return searchAdmins(q);
    },
  ),
]);
