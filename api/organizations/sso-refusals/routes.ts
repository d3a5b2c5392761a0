import { z } from 'zod';
import { listRefusals } from '../../../models/identity/sso/refusals.js';
import { REFUSAL_REASONS } from '../../../models/identity/sso/errors.js';
import { moment, recordId } from '../../../models/fields.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get } from '../../http/routes.js';
import { OrganizationParams } from '../../http/params.js';

const reason = z.enum(REFUSAL_REASONS);

const SsoRefusalFilters = z.object({
  ...pageQuery,
  connection: recordId.optional().meta({ description: 'Id of a SAML or OAuth configuration.' }),
  reason: reason.optional().meta({ example: 'no_account' }),
});

const SsoRefusalJson = z
  .object({
    id: z.uuid(),
    created_at: moment,
    connection: z.object({ id: z.uuid(), name: z.string(), slug: z.string(), kind: z.enum(['saml', 'oauth']) }),
    reason: reason.meta({ description: 'The `error` parameter of the callback.' }),
    detail: z.string().nullable().meta({ description: 'The check that failed.', example: 'signature_invalid' }),
    request_id: z.string().meta({ description: 'Request id in the log.' }),
  })
  .meta({ id: 'SsoRefusal', description: 'A refused sign-in by an identity provider, without personal data.' });

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
