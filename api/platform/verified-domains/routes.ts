import { z } from 'zod';
import { refuse } from '../../../models/errors.js';
import {
  addVerifiedDomain,
  listVerifiedDomains,
  removeVerifiedDomain,
} from '../../../models/platform/verifiedDomains.js';
import { rowJson } from '../../../models/database/model/schemas.js';
import { VerifiedDomain } from '../../../models/platform/VerifiedDomain.js';
import { domain } from '../../../models/identity/sso/fields.js';
import { pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { AfterCommit, Answer, del, get, post, routes } from '../../http/routes.js';
import { originOf } from '../../http/origin.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';

const VerifiedDomainsQuery = z.object(pageQuery);

const NewVerifiedDomain = z
  .strictObject({ domain: domain.meta({ example: 'alpha.edu' }) })
  .meta({ id: 'NewVerifiedDomain', example: { domain: 'alpha.edu' } });

const VerifiedDomainJson = rowJson(VerifiedDomain);

const common = { access: 'platform', tags: ['platform'] } as const;

export const verifiedDomainRoutes = routes('/api/platform/organizations/:organization_id/verified-domains', [
  get(
    '/',
    {
      ...common,
      summary: 'Verified e-mail domains of an organization',
      params: OrganizationParams,
      query: VerifiedDomainsQuery,
      response: pageOf(VerifiedDomainJson),
    },
    async ({ params, query, request }) =>
      new AfterCommit(async () =>
        presentPage(
          await listVerifiedDomains(params.organization_id, pageRequest(query)),
          query,
          request,
          (row) => row,
        ),
      ),
  ),

  post(
    '/',
    {
      ...common,
      summary: 'Add a verified e-mail domain',
      description:
        'Only after the organization has proven ownership, for example by a DNS record. Its admins may then trust a directory for ' +
        'addresses of that domain (`trust_directory_addresses`).',
      stepUp: 'tenant',
      params: OrganizationParams,
      body: NewVerifiedDomain,
      response: VerifiedDomainJson,
      status: 201,
      errors: [refuse.duplicate],
    },
    async ({ actor, params, body, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(
        async () => new Answer(await addVerifiedDomain(params.organization_id, body.domain, origin)),
      );
    },
  ),

  del(
    '/:id/',
    {
      ...common,
      summary: 'Remove a verified domain',
      description: 'From the next sign-in on, the addresses of this domain in directories are no longer trusted.',
      stepUp: 'tenant',
      params: OrganizationRowParams,
    },
    async ({ actor, params, request }) => {
      const origin = originOf(request, actor);
      return new AfterCommit(async () => removeVerifiedDomain(params.organization_id, params.id, origin));
    },
  ),
]);
