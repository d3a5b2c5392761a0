import { caseErrors } from '../../../models/finances/cases/errors.js';
import { listCases, readCase } from '../../../models/finances/cases/listCases.js';
import { decideCase, readCasePayments } from '../../../models/finances/cases/resolveCase.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { OrganizationParams, OrganizationRowParams } from '../../http/params.js';
import { authorize, by, nationalAdmin, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { finances } from '../fields.js';
import {
  MoneyCaseDetailJson,
  MoneyCaseFilters,
  MoneyCaseJson,
  MoneyCaseResolution,
  MoneyCaseAllocationJson,
} from './schema.js';

export const moneyCasePolicy = policy('money case', { read: [nationalAdmin], resolve: [nationalAdmin] });

async function detail(id: string) {
  const row = await readCase('dues', id);
  const shares = await readCasePayments(id);
  return { ...row, shares: shares.map((share) => MoneyCaseAllocationJson.parse(share)) };
}

export const moneyCaseRoutes = routes('/api/organizations/:organization_id/money-cases', [
  get(
    '/',
    {
      ...finances,
      summary: 'Differences between our books and a payment provider',
      rule: by(moneyCasePolicy, 'read'),
      params: OrganizationParams,
      query: MoneyCaseFilters,
      response: pageOf(MoneyCaseJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, moneyCasePolicy, 'read');
      const page = await listCases('dues', query, { orderBy: query.ordering, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  get(
    '/:id/',
    {
      ...finances,
      summary: 'A case, with the invoices that its charge paid',
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
      summary: 'Resolve a case',
      description:
        'For a refund of a charge that paid several invoices: name the refunded invoices (`allocated`), which are then due again, as after any refund. ' +
        'For any other case: it was corrected elsewhere (`corrected`) or may stay (`accepted`); no money moves. The provider is not called.',
      operationId: 'resolveMoneyCase',
      rule: by(moneyCasePolicy, 'resolve'),
      params: OrganizationRowParams,
      body: MoneyCaseResolution,
      response: MoneyCaseDetailJson,
      errors: [caseErrors.case_closed, caseErrors.case_closes_itself],
    },
    async ({ actor, params, body }) => {
      authorize(actor, moneyCasePolicy, 'resolve');
      await readCase('dues', params.id);
      await decideCase(params.id, body, actor.userId);
      return detail(params.id);
    },
  ),
]);
