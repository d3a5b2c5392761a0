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
import { OrganizationParams } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { organizationAdminPolicy } from './policy.js';
import { AdminEdit, AdminFilters, AdminInvite, AdminJson, AdminParams } from './schema.js';
import { identityErrors } from '../../../models/identity/errors.js';

const tags = ['organizations'];

export const adminRoutes = routes('/api/organizations/:id/admins', [
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
    async ({ actor, params, query, request }) => {
      organizationInPath(actor, params.id);
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
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, organizationAdminPolicy, 'write');
      return found(await readOrganizationAdmin(await inviteOrganizationAdmin(body)));
    },
  ),

  patch(
    '/:admin_id/',
    {
      summary: "Change an admin's title, deactivate or reactivate",
      rule: by(organizationAdminPolicy, 'write'),
      access: 'tenant',
      tags,
      params: AdminParams,
      body: AdminEdit,
      response: AdminJson,
      errors: [identityErrors.last_admin, refuse.stale_version, identityErrors.invitation_open],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, organizationAdminPolicy, 'write');
      await changeOrganizationAdmin(params.admin_id, body);
      return found(await readOrganizationAdmin(params.admin_id));
    },
  ),

  post(
    '/:admin_id/invite/',
    {
      summary: 'Mail the invitation again',
      rule: by(organizationAdminPolicy, 'write'),
      description: 'With a new link, for another week; the one before opens nothing any more. Once a day.',
      operationId: 'inviteOrganizationAdminAgain',
      access: 'tenant',
      tags,
      params: AdminParams,
      response: AdminJson,
      errors: [invitationErrors.already_invited, invitationErrors.invitation_closed],
    },
    async ({ actor, params }) => {
      organizationInPath(actor, params.id);
      authorize(actor, organizationAdminPolicy, 'write');
      await inviteOrganizationAdminAgain(params.admin_id);
      return found(await readOrganizationAdmin(params.admin_id));
    },
  ),

  del(
    '/:admin_id/',
    {
      summary: 'Remove an organization admin, or take an invitation back',
      rule: by(organizationAdminPolicy, 'write'),
      access: 'tenant',
      tags,
      params: AdminParams,
      errors: [identityErrors.last_admin],
    },
    async ({ actor, params }) => {
      organizationInPath(actor, params.id);
      authorize(actor, organizationAdminPolicy, 'write');
      await removeOrganizationAdmin(params.admin_id);
    },
  ),
]);
