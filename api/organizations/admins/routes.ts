import { organizationsErrors } from '../../../models/organizations/errors.js';
import { found, refuse } from '../../../models/errors.js';
import { invitationErrors } from '../../../models/organizations/invitations/errors.js';
import {
  changeOrganizationAdmin,
  inviteOrganizationAdmin,
  inviteOrganizationAdminAgain,
  listOrganizationAdmins,
  readOrganizationAdmin,
  removeOrganizationAdmin,
} from '../../../models/organizations/admins.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { organizationAdminPolicy } from './policy.js';
import { AdminEdit, AdminFilters, AdminInvite, AdminJson } from './schema.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { identityErrors } from '../../../models/identity/errors.js';

const tags = ['organizations'];

export const adminRoutes = routes('/api/organizations/:organization_id/admins', [
  get(
    '/',
    {
      summary: 'Organization admins',
      rule: by(organizationAdminPolicy, 'read'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      query: AdminFilters,
      response: pageOf(AdminJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, organizationAdminPolicy, 'read');
      const { is_active: isActive, ordering: orderBy } = query;
      const page = await listOrganizationAdmins({ isActive, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      summary: 'Invite an organization admin',
      rule: by(organizationAdminPolicy, 'write'),
      description:
        'Somebody known here is active at once, and told; anybody else once they accept the invitation that is mailed.',
      access: 'tenant',
      tags,
      params: OrganizationParams,
      body: AdminInvite,
      response: AdminJson,
      status: 201,
      errors: [organizationsErrors.admin_exists],
    },
    async ({ actor, body }) => {
      authorize(actor, organizationAdminPolicy, 'write');
      return found(await readOrganizationAdmin(await inviteOrganizationAdmin(body)));
    },
  ),

  patch(
    '/:id/',
    {
      summary: "Change an admin's title, deactivate or reactivate",
      rule: by(organizationAdminPolicy, 'write'),
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      body: AdminEdit,
      response: AdminJson,
      errors: [identityErrors.last_admin, refuse.stale_version, identityErrors.invitation_open],
    },
    async ({ actor, params, body }) => {
      authorize(actor, organizationAdminPolicy, 'write');
      await changeOrganizationAdmin(params.id, body);
      return found(await readOrganizationAdmin(params.id));
    },
  ),

  post(
    '/:id/invite/',
    {
      summary: 'Mail the invitation again',
      rule: by(organizationAdminPolicy, 'write'),
      description: 'With a new link, for another week; the one before opens nothing any more. Once a day.',
      operationId: 'inviteOrganizationAdminAgain',
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      response: AdminJson,
      errors: [invitationErrors.already_invited, invitationErrors.invitation_closed],
    },
    async ({ actor, params }) => {
      authorize(actor, organizationAdminPolicy, 'write');
      await inviteOrganizationAdminAgain(params.id);
      return found(await readOrganizationAdmin(params.id));
    },
  ),

  del(
    '/:id/',
    {
      summary: 'Remove an organization admin, or take an invitation back',
      rule: by(organizationAdminPolicy, 'write'),
      access: 'tenant',
      tags,
      params: OrganizationRowParams,
      errors: [identityErrors.last_admin],
    },
    async ({ actor, params }) => {
      authorize(actor, organizationAdminPolicy, 'write');
      await removeOrganizationAdmin(params.id);
    },
  ),
]);
