import { confinedOrganizationId } from '../../../models/identity/confinement.js';
import { type AccountOrganization, findOrganization } from '../../../models/identity/accounts.js';
import { identityErrors } from '../../../models/identity/errors.js';
import { refuse } from '../../../models/errors.js';
import { listOwnOrganizations } from '../../../models/identity/listOwnOrganizations.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { get, routes } from '../../http/routes.js';
import { MeJson, OwnOrganizationJson, OwnOrganizationQuery } from './schema.js';
import type { Actor } from '../../../models/identity/Actor.js';

function presentMe({ facts }: Actor, organization: AccountOrganization | null) {
  const { user, is_platform_admin, must_change_password } = facts;
  return {
    user: { ...user, is_platform_admin, must_change_password },
    session: { id: facts.session_id, client: facts.client },
    impersonation: facts.impersonation && { by: facts.impersonation.actor_id, ends_at: facts.impersonation.ends_at },
    organization,
    is_organization_admin: facts.is_organization_admin,
    regions: facts.regions.map(({ id, role }) => ({ id, role })),
    memberships: facts.memberships.map(({ id, chapter_id, role, status }) => ({
      id,
      chapter: chapter_id,
      role,
      status,
    })),
  };
}

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
      // not_found: a platform administrator may name an organization that does not exist (X-Organization-Id).
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
