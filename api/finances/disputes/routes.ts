import { listDisputes, readDispute } from '../../../models/finances/disputes/readDisputes.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { DisputeFilters, DisputeJson } from './schema.js';

export const disputePolicy = policy('dispute', { read: [nationalAdmin] });

export const disputeRoutes = routes('/api/organizations/:organization_id/disputes', [
  get(
    '/',
    {
      ...finances,
      summary: 'Disputed payments',
      description: 'The newest first. Evidence is submitted at the provider, not here.',
      rule: by(disputePolicy, 'read'),
      params: OrganizationParams,
      query: DisputeFilters,
      response: pageOf(DisputeJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, disputePolicy, 'read');
      return presentPage(await listDisputes(query.status, pageRequest(query)), query, request, (dispute) => dispute);
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'A disputed payment with its money movements',
      rule: by(disputePolicy, 'read'),
      params: OrganizationRowParams,
      response: DisputeJson,
    },
    async ({ actor, params }) => {
      authorize(actor, disputePolicy, 'read');
      return readDispute(params.id);
    },
  ),
]);
