import { organizationsErrors } from '../../../models/organizations/errors.js';
import { found, refuse } from '../../../models/errors.js';
import { invitationErrors } from '../../../models/organizations/invitations/errors.js';
import {
  changeRegionalAdmin,
  inviteRegionalAdmin,
  inviteRegionalAdminAgain,
  listRegionalAdmins,
  readRegionalAdmin,
  withdrawRegionalAdmin,
} from '../../../models/organizations/regionalAdmins.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { regionalAdminPolicy } from './policy.js';
import { RegionalAdminEdit, RegionalAdminFilters, RegionalAdminInvite, RegionalAdminJson } from './schema.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { identityErrors } from '../../../models/identity/errors.js';

const tags = ['organizations'];

export const regionalAdminRoutes = routes('/api/organizations/:organization_id/regional-admins', [
  get(
    '/',
    {
      summary: 'Regional admins',
      rule: by(regionalAdminPolicy, 'read'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      query: RegionalAdminFilters,
      response: pageOf(RegionalAdminJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, regionalAdminPolicy, 'read');
      const { region, is_active: isActive, ordering: orderBy } = query;
      const page = await listRegionalAdmins({ region, isActive, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      summary: 'Invite an admin of a region',
      rule: by(regionalAdminPolicy, 'write'),
      description:
        'Somebody known here is active at once, and told; anybody else once they accept the invitation that is mailed.',
      access: 'tenant',
      tags,
      params: OrganizationParams,
      body: RegionalAdminInvite,
      response: RegionalAdminJson,
      status: 201,
      errors: [organizationsErrors.regional_admin_exists],
    },
    async ({ actor, body }) => {
      authorize(actor, regionalAdminPolicy, 'write');
      return found(await readRegionalAdmin(await inviteRegionalAdmin(body)));
    },
  ),

  patch(
    '/:id/',
    {
      summary: "Change a regional admin's role or title, deactivate or reactivate",
      rule: by(regionalAdminPolicy, 'write'),
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      body: RegionalAdminEdit,
      response: RegionalAdminJson,
      errors: [refuse.stale_version, identityErrors.invitation_open],
    },
    async ({ actor, params, body }) => {
      authorize(actor, regionalAdminPolicy, 'write');
      await changeRegionalAdmin(params.id, body);
      return found(await readRegionalAdmin(params.id));
    },
  ),

  post(
    '/:id/invite/',
    {
      summary: 'Mail the invitation again',
      rule: by(regionalAdminPolicy, 'write'),
      description: 'With a new link, for another week; the one before opens nothing any more. Once a day.',
      operationId: 'inviteRegionalAdminAgain',
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      response: RegionalAdminJson,
      errors: [invitationErrors.already_invited, invitationErrors.invitation_closed],
    },
    async ({ actor, params }) => {
      authorize(actor, regionalAdminPolicy, 'write');
      await inviteRegionalAdminAgain(params.id);
      return found(await readRegionalAdmin(params.id));
    },
  ),

  del(
    '/:id/',
    {
      summary: 'Take an invitation back',
      rule: by(regionalAdminPolicy, 'write'),
      description: 'Whoever has accepted is deactivated instead.',
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      errors: [invitationErrors.invitation_closed],
    },
    async ({ actor, params }) => {
      authorize(actor, regionalAdminPolicy, 'write');
      await withdrawRegionalAdmin(params.id);
    },
  ),
]);
