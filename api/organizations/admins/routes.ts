import { organizationsErrors } from '../../../models/organizations/errors.js';
import { requireFound, refuse } from '../../../models/errors.js';
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
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { AdminEdit, AdminFilters, AdminInvite, AdminJson } from './schema.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { identityErrors } from '../../../models/identity/errors.js';

export const organizationAdminPolicy = policy('organization admin', { read: [nationalAdmin], write: [nationalAdmin] });

const tags = ['organizations'];

export const adminRoutes = routes('/api/organizations/:organization_id/admins', [
  get(
    '/',
    {
      summary: 'List organization admins',
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
        'A person with an account is active at once and is notified. Other people become active when they accept the mailed invitation.',
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
      return requireFound(await readOrganizationAdmin(await inviteOrganizationAdmin(body)));
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
      return requireFound(await readOrganizationAdmin(params.id));
    },
  ),

  post(
    '/:id/invite/',
    {
      summary: 'Resend the invitation',
      rule: by(organizationAdminPolicy, 'write'),
      description:
        'Sends a new link that is valid for seven days. The previous link becomes invalid. At most once a day.',
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
      return requireFound(await readOrganizationAdmin(params.id));
    },
  ),

  del(
    '/:id/',
    {
      summary: 'Remove an organization admin, or withdraw an invitation',
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
