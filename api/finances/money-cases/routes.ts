import { readPage, readRow } from '../../../models/database/model/read.js';
import { caseErrors } from '../../../models/finances/cases/errors.js';
import { MoneyCase } from '../../../models/finances/cases/MoneyCase.js';
import { resolveCase, sharesOfCase } from '../../../models/finances/cases/resolveCase.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import { moneyCasePolicy } from './policy.js';
import {
  MoneyCaseDetailJson,
  MoneyCaseFilters,
  MoneyCaseJson,
  MoneyCaseResolution,
  MoneyCaseShareJson,
} from './schema.js';

async function detail(id: string) {
  const row = await readRow(MoneyCase, id);
  const shares = await sharesOfCase(id);
  return { ...row, shares: shares.map((share) => MoneyCaseShareJson.parse(share)) };
}

export const moneyCaseRoutes = routes('/api/organizations/:organization_id/money-cases', [
  get(
    '/',
    {
      ...finances,
      summary: 'What our books and a payment provider do not agree on',
      rule: by(moneyCasePolicy, 'read'),
      params: OrganizationParams,
      query: MoneyCaseFilters,
      response: pageOf(MoneyCaseJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, moneyCasePolicy, 'read');
      const page = await readPage(MoneyCase, {
        where: { status: query.status, kind: query.kind },
        orderBy: query.ordering,
        ...pageRequest(query),
      });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'A case, with what its charge has paid',
      rule: by(moneyCasePolicy, 'read'),
      params: OrganizationRowParams,
      response: MoneyCaseDetailJson,
    },
    ({ actor, params }) => {
      authorize(actor, moneyCasePolicy, 'read');
      return detail(params.id);
    },
  ),

  post(
    '/:id/resolve/',
    {
      ...finances,
      summary: 'Say of which invoices the money was that went back',
      description: 'They are due again, as after any refund. Nothing is asked of the provider.',
      operationId: 'resolveMoneyCase',
      rule: by(moneyCasePolicy, 'resolve'),
      params: OrganizationRowParams,
      body: MoneyCaseResolution,
      response: MoneyCaseDetailJson,
      errors: [caseErrors.case_closed],
    },
    async ({ actor, params, body: { allocations, note } }) => {
      authorize(actor, moneyCasePolicy, 'resolve');
      await resolveCase(params.id, allocations, note, actor.userId);
      return detail(params.id);
    },
  ),
]);
