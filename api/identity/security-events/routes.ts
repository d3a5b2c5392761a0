import { z } from 'zod';
import { confinedOrganizationId } from '../../../models/identity/confinement.js';
import { listSecurityEvents } from '../../../models/identity/listSecurityEvents.js';
import { moment } from '../../../models/fields.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { get, routes } from '../../http/routes.js';

const SecurityEventQuery = z.object({
  ...pageQuery,
  kind: z
    .string()
    .regex(/^[a-z_]+\.[a-z_]+$/, 'Must look like password.changed.')
    .max(100)
    .optional()
    .meta({ example: 'password.changed' }),
});

const SecurityEventJson = z
  .object({
    id: z.uuid(),
    kind: z.string().meta({ example: 'session.started' }),
    organization: z.uuid().nullable(),
    session: z.uuid().nullable(),
    ip_address: z.string().nullable(),
    user_agent: z.string().nullable(),
    details: z.record(z.string(), z.unknown()),
    created_at: moment,
  })
  .meta({ id: 'SecurityEvent' });

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
