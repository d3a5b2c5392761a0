import { refuse } from '../../../models/errors.js';
import { organizationsErrors } from '../../../models/organizations/errors.js';
import { found } from '../../../models/organizations/found.js';
import { changeTerm, createTerm, listTerms, readTerm } from '../../../models/organizations/terms.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { get, patch, post, routes } from '../../http/routes.js';
import { OrganizationParams } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { termPolicy } from './policy.js';
import { TermCreate, TermEdit, TermFilters, TermJson, TermParams } from './schema.js';

const tags = ['organizations'];

export const termRoutes = routes('/api/organizations/:id/terms', [
  get(
    '/',
    {
      summary: 'Terms, latest first',
      rule: by(termPolicy, 'read'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      query: TermFilters,
      response: pageOf(TermJson),
    },
    async ({ actor, params, query, request }) => {
      organizationInPath(actor, params.id);
      authorize(actor, termPolicy, 'read');
      const page = await listTerms(query.ordering, pageRequest(query));
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/',
    {
      summary: 'Create a term',
      rule: by(termPolicy, 'write'),
      access: 'tenant',
      tags,
      params: OrganizationParams,
      body: TermCreate,
      response: TermJson,
      status: 201,
      errors: [refuse.duplicate, organizationsErrors.term_overlap],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, termPolicy, 'write');
      return found(await readTerm(await createTerm(body)));
    },
  ),

  get(
    '/:term_id/',
    { summary: 'A term', rule: by(termPolicy, 'read'), access: 'tenant', tags, params: TermParams, response: TermJson },
    async ({ actor, params }) => {
      organizationInPath(actor, params.id);
      authorize(actor, termPolicy, 'read');
      return found(await readTerm(params.term_id));
    },
  ),

  patch(
    '/:term_id/',
    {
      summary: 'Change a term',
      rule: by(termPolicy, 'write'),
      access: 'tenant',
      tags,
      params: TermParams,
      body: TermEdit,
      response: TermJson,
      errors: [refuse.stale_version, refuse.duplicate, organizationsErrors.term_overlap],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.id);
      authorize(actor, termPolicy, 'write');
      await changeTerm(params.term_id, body);
      return found(await readTerm(params.term_id));
    },
  ),
]);
