import { z } from 'zod';
import { readPage, readRow } from '../../../models/database/model/read.js';
import { createBody, editBody, rowJson, toColumns } from '../../../models/database/model/schemas.js';
import { refuse } from '../../../models/errors.js';
import { flag } from '../../../models/fields.js';
import { Fund } from '../../../models/foundation/campaigns/Fund.js';
import { changeFund, createFund } from '../../../models/foundation/campaigns/funds.js';
import { ordering, pageOf, pageQuery, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, foundationEditor, policy } from '../../http/policy.js';
import { get, patch, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';

const fundPolicy = policy('fund', { read: [foundationEditor], write: [foundationAdmin] });

const FundJson = rowJson(Fund);
const reads = { ...foundation, rule: by(fundPolicy, 'read') };
const writes = { ...foundation, rule: by(fundPolicy, 'write'), response: FundJson };

const FundFilters = z.object({
  ...pageQuery,
  is_active: flag.optional(),
  ordering: ordering({ name: 'funds.name', total_cents: 'funds.total_cents', created_at: 'funds.created_at' }, 'name'),
});

export const fundRoutes = routes('/api/foundation/funds', [
  get(
    '/',
    { ...reads, summary: 'List funds', query: FundFilters, response: pageOf(FundJson) },
    async ({ actor, query, request }) => {
      authorize(actor, fundPolicy, 'read');
      const { ordering: orderBy, is_active } = query;
      const page = await readPage(Fund, { where: { is_active }, orderBy, ...pageRequest(query) });
      return presentPage(page, query, request, (fund) => fund);
    },
  ),

  post(
    '/',
    {
      ...writes,
      summary: 'Create a fund',
      description: 'A new default takes the place of the former.',
      body: createBody(Fund),
      status: 201,
      errors: [refuse.duplicate],
    },
    async ({ actor, body }) => {
      authorize(actor, fundPolicy, 'write');
      return createFund(body);
    },
  ),

  get(
    '/:id/',
    { ...reads, summary: 'Get a fund', params: RowParams, response: FundJson },
    async ({ actor, params }) => {
      authorize(actor, fundPolicy, 'read');
      return readRow(Fund, params.id);
    },
  ),

  patch(
    '/:id/',
    {
      ...writes,
      summary: 'Change a fund',
      description:
        'A new default takes the place of the former. A fund that is no longer active keeps its campaigns, and new ' +
        'campaigns cannot use it.',
      params: RowParams,
      body: editBody(Fund),
      errors: [refuse.stale_version, refuse.duplicate],
    },
    async ({ actor, params, body }) => {
      authorize(actor, fundPolicy, 'write');
      return changeFund(params.id, { ...toColumns(Fund, body), version: body.version });
    },
  ),
]);
