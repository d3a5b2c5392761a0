import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { grantPlatformAdmin, revokePlatformAdmin } from '../../../models/identity/platformAdmins.js';
import { listPlatformAdmins } from '../../../models/platform/listPlatformAdmins.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { recordId } from '../../../models/fields.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { del, get, post, routes } from '../../http/routes.js';
import { RowParams } from '../../http/params.js';
import { person } from '../../organizations/people.js';

const PlatformAdminQuery = z.object(pageQuery);

const PlatformAdminGrant = z
  .object({ user: recordId.meta({ description: 'The id of the person, as in `GET /api/platform/users/`.' }) })
  .meta({ id: 'PlatformAdminGrant' });

const PlatformAdminJson = z.object({ ...person, is_disabled: z.boolean() }).meta({ id: 'PlatformAdmin' });

const tags = ['platform'];

export const platformAdminRoutes = routes('/api/platform/admins', [
  get(
    '/',
    {
      summary: 'Platform admins',
      access: 'platform',
      tags,
      query: PlatformAdminQuery,
      response: pageOf(PlatformAdminJson),
    },
    async ({ query, request }) =>
      presentPage(await listPlatformAdmins(pageRequest(query)), query, request, (row) => row),
  ),

  post(
    '/',
    {
      summary: 'Grant platform admin rights',
      description: 'Ends the sessions of that person, who must sign in again.',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      body: PlatformAdminGrant,
      errors: [refuse.duplicate],
    },
    async ({ actor, body }) => grantPlatformAdmin(body.user, actor.userId),
  ),

  del(
    '/:id/',
    {
      summary: 'Revoke platform admin rights',
      description: 'Ends the sessions of that person. The last active platform admin cannot be revoked.',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      params: RowParams,
      errors: [identityErrors.last_admin],
    },
    async ({ actor, params }) => revokePlatformAdmin(params.id, actor.userId),
  ),
]);
