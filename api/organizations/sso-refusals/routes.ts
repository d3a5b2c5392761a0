import { listRefusals } from '../../../models/identity/sso/refusals.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';
import { SsoRefusalFilters, SsoRefusalJson } from './schema.js';

const ssoRefusalPolicy = policy('refused sign-ins', { read: [nationalAdmin] });

export const ssoRefusalRoutes = [
  get(
    '/api/organizations/:organization_id/sso-refusals/',
    {
      summary: 'List refused sign-ins by identity providers, newest first',
      rule: by(ssoRefusalPolicy, 'read'),
      description: 'Covers the last 30 days. At most 20 per hour are stored for one reason and connection.',
      access: 'tenant',
      tags: ['sso'],
      params: OrganizationParams,
      query: SsoRefusalFilters,
      response: pageOf(SsoRefusalJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, ssoRefusalPolicy, 'read');
      const { connection, reason } = query;
      return presentPage(
        await listRefusals({ connection, reason, ...pageRequest(query) }),
        query,
        request,
        (row) => row,
      );
    },
  ),
];
