import { z } from 'zod';
import { invalid } from '../../../models/errors.js';
import { searchAdmins } from '../../../models/organizations/searchAdmins.js';
import { OrganizationParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { organizationAdminPolicy } from '../admins/routes.js';
import { shownEmail } from '../people.js';

const AdminSearchQuery = z.object({
  q: z.string().trim().max(100).optional().meta({
    description: 'Required. Part of a name, or the beginning of an address.',
    example: 'sam',
  }),
});

const AdminSearchJson = z
  .array(
    z
      .object({
        id: z.uuid().meta({ description: 'Id of the admin row.' }),
        user: z.uuid(),
        first_name: z.string(),
        last_name: z.string(),
        email: shownEmail,
        title: z.string().nullable(),
      })
      .meta({ id: 'FoundAdmin' }),
  )
  .max(25);

export const adminSearchRoutes = routes('/api/organizations/:organization_id/admin-search', [
  get(
    '/',
    {
      summary: 'Search active admins by name or address',
      rule: by(organizationAdminPolicy, 'read'),
      description:
        'Returns at most 25 active admins with an enabled account. Names that begin with the search words come first.',
      operationId: 'searchAdmins',
      access: 'tenant',
      tags: ['organizations'],
      params: OrganizationParams,
      query: AdminSearchQuery,
      response: AdminSearchJson,
    },
    async ({ actor, query: { q } }) => {
      authorize(actor, organizationAdminPolicy, 'read');
      // Validated after the authorization, so that a foreign organization returns 404 for every query.
      if (!q) throw invalid('q', 'Must not be empty.');
      return searchAdmins(q);
    },
  ),
]);
