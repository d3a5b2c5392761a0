import { confinedOrganizationId } from '../../../models/identity/confinement.js';
import { findOrganization } from '../../../models/identity/accounts.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { refuse } from '../../../models/errors.js';
import { listOwnOrganizations } from '../../../models/identity/listOwnOrganizations.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { get, routes } from '../../http/routes.js';
import { presentMe } from './present.js';
import { MeJson, OwnOrganizationJson, OwnOrganizationQuery } from './schema.js';

export const meRoutes = routes('/api/auth/me', [
  get(
    '/',
    {
      summary: 'Your account, organization and memberships',
      operationId: 'getMe',
      access: 'account',
      confined: 'open',
      impersonation: 'readable',
      tags: ['auth'],
      response: MeJson,
      // A platform administrator may name an organization that does not exist (X-Organization-Id).
      errors: [identityErrors.membership_ended, refuse.not_found],
    },
    async ({ actor }) => {
      if (!actor.hasAccess) throw identityErrors.membership_ended();
      const { organization_id } = actor.facts;
      return presentMe(actor, organization_id === null ? null : await findOrganization(organization_id));
    },
  ),

  get(
    '/organizations/',
    {
      summary: 'The organizations that you can sign in to',
      description:
        'Also answers once you have left the organization of this session, so that you can switch to another. ' +
        'A session that an identity provider began lists only its own organization.',
      operationId: 'listMyOrganizations',
      access: 'account',
      confined: 'open',
      impersonation: 'readable',
      tags: ['auth'],
      query: OwnOrganizationQuery,
      response: pageOf(OwnOrganizationJson),
    },
    async ({ actor, query, request }) =>
      presentPage(
        await listOwnOrganizations({
          userId: actor.userId,
          onlyId: confinedOrganizationId(actor),
          ...pageRequest(query),
        }),
        query,
        request,
        (organization) => ({ ...organization, is_current: organization.id === actor.facts.organization_id }),
      ),
  ),
]);
