import { z } from 'zod';
import { createBody, editBody, rowJson } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import {
  appointFoundationPerson,
  changeFoundationPerson,
  listFoundationPeople,
  removeFoundationPerson,
} from '../../../models/foundation/config/admins.js';
import { FoundationAdmin } from '../../../models/foundation/config/FoundationAdmin.js';
import { foundationErrors } from '../../../models/foundation/errors.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, nationalAdmin, policy } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';

const adminPolicy = policy('foundation admin', {
  read: [nationalAdmin, foundationAdmin],
  write: [nationalAdmin, foundationAdmin],
});

const FoundationAdminJson = rowJson(FoundationAdmin)
  .extend({
    email: z.string().nullable().meta({ description: 'Null for a deleted account.' }),
    first_name: z.string(),
    last_name: z.string(),
    has_access: z.boolean().meta({
      description: 'False if the person may no longer sign in to the organization. Their role does not count.',
    }),
  })
  .meta({ id: 'FoundationAdmin' });

const { foundation_not_configured, not_in_organization, last_foundation_admin } = foundationErrors;
const writes = { ...foundation, rule: by(adminPolicy, 'write'), stepUp: 'tenant' } as const;

export const foundationAdminRoutes = routes('/api/foundation/admins', [
  get(
    '/',
    {
      ...foundation,
      operationId: 'listFoundationAdmins',
      summary: 'List admins and editors of the foundation, by name',
      rule: by(adminPolicy, 'read'),
      query: z.object(pageQuery),
      response: pageOf(FoundationAdminJson),
      errors: [foundation_not_configured],
    },
    async ({ actor, query, request }) => {
      authorize(actor, adminPolicy, 'read');
      return presentPage(await listFoundationPeople(pageRequest(query)), query, request, (person) => person);
    },
  ),

  post(
    '/',
    {
      ...writes,
      operationId: 'createFoundationAdmin',
      summary: 'Give a person a role in the foundation',
      description:
        'An admin runs the foundation; an editor reads its funds, campaigns, gifts and receipts. The person and the other ' +
        'admins are told by mail.',
      body: createBody(FoundationAdmin),
      response: FoundationAdminJson,
      status: 201,
      errors: [foundation_not_configured, not_in_organization, refuse.duplicate],
    },
    async ({ actor, body }) => {
      authorize(actor, adminPolicy, 'write');
      return appointFoundationPerson(body.user, body.role);
    },
  ),

  patch(
    '/:id/',
    {
      ...writes,
      operationId: 'updateFoundationAdmin',
      summary: 'Change the role of a person in the foundation',
      params: RowParams,
      body: editBody(FoundationAdmin),
      response: FoundationAdminJson,
      errors: [refuse.stale_version, not_in_organization, last_foundation_admin],
    },
    async ({ actor, params, body }) => {
      authorize(actor, adminPolicy, 'write');
      return changeFoundationPerson(params.id, body);
    },
  ),

  del(
    '/:id/',
    {
      ...writes,
      operationId: 'removeFoundationAdmin',
      summary: 'End the role of a person in the foundation',
      params: RowParams,
      errors: [last_foundation_admin],
    },
    async ({ actor, params }) => {
      authorize(actor, adminPolicy, 'write');
      await removeFoundationPerson(params.id);
    },
  ),
]);
