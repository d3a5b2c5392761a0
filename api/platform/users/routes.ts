import { requireFound } from '../../../models/errors.js';
import { disableAccount, enableAccount, accountStatusErrors } from '../../../models/identity/accountStatus.js';
import { findPeople, readPerson } from '../../../models/platform/findPeople.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { get, post, routes } from '../../http/routes.js';
import { DisableBody, PersonJson, PersonQuery } from './schema.js';
import { RowParams } from '../../http/params.js';
import { identityErrors } from '../../../models/identity/errors.js';

const tags = ['platform'];

export const platformUserRoutes = routes('/api/platform/users', [
  get(
    '/',
    {
      summary: 'People of all organizations',
      access: 'platform',
      tags,
      query: PersonQuery,
      response: pageOf(PersonJson),
    },
    async ({ query, request }) => {
      const page = await findPeople({ search: query.q, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/:id/disable/',
    {
      summary: 'Disable an account',
      description:
        'Its sessions end, and it cannot sign in until it is enabled. The only admin of an organization is refused (`last_admin` names the organizations) unless the request allows that they are left without an admin, which their audit logs record.',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      params: RowParams,
      body: DisableBody,
      response: PersonJson,
      errors: [identityErrors.last_admin, accountStatusErrors.account_erased],
    },
    async ({ actor, params, body }) => {
      await disableAccount(params.id, actor.userId, body.reason ?? null);
      return requireFound(await readPerson(params.id));
    },
  ),

  post(
    '/:id/enable/',
    {
      summary: 'Enable an account',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      params: RowParams,
      response: PersonJson,
      errors: [accountStatusErrors.account_erased],
    },
    async ({ actor, params }) => {
      await enableAccount(params.id, actor.userId);
      return requireFound(await readPerson(params.id));
    },
  ),
]);
