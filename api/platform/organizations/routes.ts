import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import { createOrganization, setOrganizationActive } from '../../../models/platform/organizations.js';
import { name } from '../../../models/fields.js';
import { AfterCommit, Answer, post, routes } from '../../http/routes.js';
import { OrganizationEdit, OrganizationJson } from '../../organizations/organizations/schema.js';
import { originOf } from '../../http/origin.js';
import { OrganizationParams } from '../../http/params.js';
import { invitee } from '../../organizations/people.js';

const { slug, timezone, org_type } = OrganizationEdit.shape;

const NewOrganizationBody = z
  .object({
    name: name(200),
    slug: slug.unwrap(),
    org_type,
    timezone,
    admin: z.object(invitee).optional().meta({ description: 'The first admin.' }),
  })
  .meta({
    id: 'NewOrganization',
    example: { name: 'Alpha Beta', slug: 'alpha-beta', admin: { email: 'sam@example.org' } },
  });

const tags = ['platform'];

export const platformOrganizationRoutes = routes('/api/platform/organizations', [
  post(
    '/',
    {
      summary: 'Create an organization',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      body: NewOrganizationBody,
      response: OrganizationJson,
      status: 201,
      errors: [refuse.duplicate],
    },
    // Runs in its own transaction, in the new tenant, because this request has no tenant.
    async ({ actor, body, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(async () => new Answer(await createOrganization(body, origin)));
    },
  ),

  post(
    '/:organization_id/suspend/',
    {
      summary: 'Suspend an organization',
      description: 'Ends its sessions. No one can sign in to it until it is reactivated.',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      params: OrganizationParams,
      response: OrganizationJson,
    },
    async ({ actor, params, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(async () => setOrganizationActive(params.organization_id, false, origin));
    },
  ),

  post(
    '/:organization_id/reactivate/',
    {
      summary: 'Reactivate an organization',
      access: 'platform',
      stepUp: 'tenant',
      tags,
      params: OrganizationParams,
      response: OrganizationJson,
    },
    async ({ actor, params, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(async () => setOrganizationActive(params.organization_id, true, origin));
    },
  ),
]);
