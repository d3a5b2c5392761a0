import { confinedOrganizationId } from '../../../models/identity/confinement.js';
import { listSecurityEvents } from '../../../models/identity/listSecurityEvents.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { get, routes } from '../../http/routes.js';
import { SecurityEventJson, SecurityEventQuery } from './schema.js';

export const securityEventRoutes = routes('/api/auth/security-events', [
  get(
    '/',
    {
      summary: 'Security events of your account',
      description: 'Sign-ins, refused ones, changes of credentials and addresses, impersonations; the newest first.',
      access: 'account',
      confined: 'open',
      tags: ['auth'],
      query: SecurityEventQuery,
      response: pageOf(SecurityEventJson),
    },
    async ({ actor, query, request }) =>
      presentPage(
        await listSecurityEvents(actor.userId, {
          kind: query.kind ?? null,
          organizationId: confinedOrganizationId(actor),
          ...pageRequest(query),
        }),
        query,
        request,
        (row) => row,
      ),
  ),
]);
