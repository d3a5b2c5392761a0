import { changeOrganization } from '../../../models/organizations/changeOrganization.js';
import {
  listOrganizations,
  organizationJsonStatement,
  readOrganization,
} from '../../../models/organizations/readOrganizations.js';
import { confinedOrganizationId } from '../../../models/identity/confinement.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { requireRecentProof } from '../../http/admit.js';
import { anyone, authorize, by, nationalAdmin, platformAdmin, policy, withoutRule } from '../../http/policy.js';
import { get, patch, routes } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { organizationInReach } from '../../http/organizationInPath.js';
import { OrganizationEdit, OrganizationFilters, OrganizationJson } from './schema.js';

const organizationPolicy = policy('organization', {
  read: [anyone],
  update: [nationalAdmin],
  /** Change the slug, which is part of URLs, and whether the organization is active. */
  govern: [platformAdmin],
});

const tags = ['organizations'];

const ownOrganizations = withoutRule('people read the organizations they belong to, platform admins all');

export const organizationRoutes = routes('/api/organizations', [
  get(
    '/',
    {
      summary: 'List your organizations; all organizations for platform admins',
      rule: ownOrganizations,
      access: 'account',
      tags,
      query: OrganizationFilters,
      response: pageOf(OrganizationJson),
    },
    async ({ actor, query, request }) => {
      const { is_active: isActive, without_admin: withoutAdmin, search, ordering: orderBy } = query;
      if (withoutAdmin !== undefined && !actor.isPlatformAdmin) throw refuse.forbidden();
      const userId = actor.isPlatformAdmin ? null : actor.userId;
      const page = await listOrganizations({
        userId,
        onlyId: confinedOrganizationId(actor),
        isActive,
        withoutAdmin,
        search,
        orderBy,
        ...pageRequest(query),
      });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  get(
    '/:organization_id/',
    {
      summary: 'Get an organization',
      rule: ownOrganizations,
      access: 'account',
      tags,
      params: OrganizationParams,
      response: OrganizationJson,
      singleMessageRead: {
        skipMemberships: true,
        statement: ({ params }) => organizationJsonStatement(params.organization_id),
        answer({ actor, params }, row) {
          organizationInReach(actor, params.organization_id);
          return requireFound((row as { json: string } | undefined) ?? null).json;
        },
      },
    },
    async ({ actor, params }) => {
      organizationInReach(actor, params.organization_id);
      return requireFound(await readOrganization(params.organization_id));
    },
  ),

  patch(
    '/:organization_id/',
    {
      summary: 'Change the name, branding and settings of an organization',
      rule: by(organizationPolicy, 'update'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      body: OrganizationEdit,
      response: OrganizationJson,
      errors: [refuse.stale_version, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      authorize(actor, organizationPolicy, 'update');
      if (body.slug !== undefined || body.is_active !== undefined) {
        authorize(actor, organizationPolicy, 'govern');
        requireRecentProof('tenant', actor);
      }
      await changeOrganization(params.organization_id, body);
      return requireFound(await readOrganization(params.organization_id));
    },
  ),
]);
