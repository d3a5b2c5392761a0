import { changeOrganization } from '../../../models/organizations/changeOrganization.js';
import {
  listOrganizations,
  organizationText,
  readOrganization,
} from '../../../models/organizations/readOrganizations.js';
import { confinedTo } from '../../../models/identity/confinement.js';
import { found, refuse } from '../../../models/errors.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { requireRecentProof } from '../../http/admit.js';
import { authorize, by, withoutRule } from '../../http/policy.js';
import { get, patch, routes } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { organizationInReach } from '../../http/organizationInPath.js';
import { organizationPolicy } from './policy.js';
import { OrganizationEdit, OrganizationFilters, OrganizationJson } from './schema.js';

const tags = ['organizations'];

const ownOrganizations = withoutRule('people read the organizations in which they stand, platform admins all');

export const organizationRoutes = routes('/api/organizations', [
  get(
    '/',
    {
      summary: 'Your organizations; all of them for platform admins',
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
        onlyId: confinedTo(actor),
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
      summary: 'An organization',
      rule: ownOrganizations,
      access: 'account',
      tags,
      params: OrganizationParams,
      response: OrganizationJson,
      ahead: {
        whoever: true,
        isLookUp: true,
        statement: ({ params }) => organizationText(params.organization_id),
        answer({ actor, params }, row) {
          organizationInReach(actor, params.organization_id);
          return found((row as { json: string } | undefined) ?? null).json;
        },
      },
    },
    async ({ actor, params }) => {
      organizationInReach(actor, params.organization_id);
      return found(await readOrganization(params.organization_id));
    },
  ),

  patch(
    '/:organization_id/',
    {
      summary: 'Change name, branding and settings',
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
      return found(await readOrganization(params.organization_id));
    },
  ),
]);
