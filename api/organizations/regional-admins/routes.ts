import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requireFound, refuse } from '../../../models/errors.js';
import { invitationErrors } from '../../../models/organizations/invitations/errors.js';
import {
  changeRegionalAdmin,
  inviteRegionalAdmin,
  inviteRegionalAdminAgain,
  listRegionalAdmins,
  readRegionalAdmin,
  withdrawRegionalAdminInvitation,
} from '../../../models/organizations/regionalAdmins.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { anyRegionalAdmin, authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { RegionalAdminEdit, RegionalAdminFilters, RegionalAdminInvite, RegionalAdminJson } from './schema.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { identityErrors } from '../../../models/identity/errors.js';

export const regionalAdminPolicy = policy('regional admin', {
  read: [nationalAdmin, anyRegionalAdmin],
  write: [nationalAdmin],
});

const tags = ['organizations'];

export const regionalAdminRoutes = routes('/api/organizations/:organization_id/regional-admins', [
  get(
    '/',
    {
      summary: 'List regional admins',
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
      summary: 'Invite a regional admin',
      rule: by(regionalAdminPolicy, 'write'),
      description:
        'A person with an account is active at once and is notified. Other people become active when they accept the mailed invitation.',
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
      return requireFound(await readRegionalAdmin(await inviteRegionalAdmin(body)));
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
      return requireFound(await readRegionalAdmin(params.id));
    },
  ),

  post(
    '/:id/invite/',
    {
      summary: 'Resend the invitation',
      rule: by(regionalAdminPolicy, 'write'),
      description:
        'Sends a new link that is valid for seven days. The previous link becomes invalid. At most once a day.',
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
      return requireFound(await readRegionalAdmin(params.id));
    },
  ),

  del(
    '/:id/',
    {
      summary: 'Withdraw an invitation',
      rule: by(regionalAdminPolicy, 'write'),
      description: 'An admin who has accepted must be deactivated instead.',
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      errors: [invitationErrors.invitation_closed],
    },
    async ({ actor, params }) => {
      authorize(actor, regionalAdminPolicy, 'write');
      await withdrawRegionalAdminInvitation(params.id);
    },
  ),
]);
