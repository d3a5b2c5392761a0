import { found } from '../../../models/errors.js';
import { disableAccount, enableAccount, standingErrors } from '../../../models/identity/accountStanding.js';
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
        'Its sessions end, and nobody signs in with it until it is enabled. The only admin of organizations is not disabled (`last_admin` names them), unless they are left without an admin, which the log of each tells.',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      params: RowParams,
      body: DisableBody,
      response: PersonJson,
      errors: [identityErrors.last_admin, standingErrors.account_erased],
    },
    async ({ actor, params, body }) => {
      await disableAccount(params.id, actor.userId, body.reason ?? null);
      return found(await readPerson(params.id));
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
      errors: [standingErrors.account_erased],
    },
    async ({ actor, params }) => {
      await enableAccount(params.id, actor.userId);
      return found(await readPerson(params.id));
    },
  ),
]);
