import { refuse } from '../../../models/errors.js';
import { deleteRow } from '../../../models/finances/deleteRow.js';
import { financesErrors } from '../../../models/finances/errors.js';
import { patchRow } from '../../../models/finances/patchRow.js';
import { createDuesRate, listDuesRates, readDuesRate } from '../../../models/finances/rates/duesRates.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { authorize, by } from '../../http/policy.js';
import { del, get, patch, post, routes } from '../../http/routes.js';
import { finances, OrganizationParams, OrganizationRowParams } from '../fields.js';
import { organizationInPath } from '../../http/organizationInPath.js';
import { duesRatePolicy } from './policy.js';
import { DuesRateCreate, DuesRateFilters, DuesRateJson, DuesRatePatch } from './schema.js';

const list = { ...finances, params: OrganizationParams };
const row = { ...finances, params: OrganizationRowParams };

export const duesRateRoutes = routes('/api/hq/dues/:organization_id/rates', [
  get(
    '/',
    {
      ...list,
      summary: 'List dues rates',
      rule: by(duesRatePolicy, 'read'),
      query: DuesRateFilters,
      response: pageOf(DuesRateJson),
    },
    async ({ actor, params, query, request }) => {
      organizationInPath(actor, params.organization_id);
      authorize(actor, duesRatePolicy, 'read');
      const { term, status, ordering: orderBy } = query;
      const page = await listDuesRates({ term, status, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (rate) => rate);
    },
  ),

  post(
    '/',
    {
      ...list,
      summary: 'Set what a status owes for a term',
      rule: by(duesRatePolicy, 'write'),
      body: DuesRateCreate,
      response: DuesRateJson,
      status: 201,
      errors: [financesErrors.rate_exists],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.organization_id);
      authorize(actor, duesRatePolicy, 'write');
      return createDuesRate(body);
    },
  ),

  patch(
    '/:id/',
    {
      ...row,
      summary: 'Change a rate',
      rule: by(duesRatePolicy, 'write'),
      body: DuesRatePatch,
      response: DuesRateJson,
      errors: [refuse.stale_version],
    },
    async ({ actor, params, body }) => {
      organizationInPath(actor, params.organization_id);
      authorize(actor, duesRatePolicy, 'write');
      const { version, ...values } = body;
      await patchRow({ table: 'dues_rates', key: ['id', params.id], values, version, subjectType: 'dues_rate' });
      return readDuesRate(params.id);
    },
  ),

  del('/:id/', { ...row, summary: 'Remove a rate', rule: by(duesRatePolicy, 'write') }, async ({ actor, params }) => {
    organizationInPath(actor, params.organization_id);
    authorize(actor, duesRatePolicy, 'write');
    await deleteRow('dues_rates', params.id, 'dues_rate');
  }),
]);
