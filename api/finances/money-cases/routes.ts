import { readPage, readRow } from '../../../models/database/model/read.js';
import { caseErrors } from '../../../models/finances/cases/errors.js';
import { MoneyCase } from '../../../models/finances/cases/MoneyCase.js';
import { decideCase, sharesOfCase } from '../../../models/finances/cases/resolveCase.js';
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
      summary: 'Close a case, saying what came of it',
      description:
        'Of money that went back of a charge of many: of which invoices it was (`allocated`), which are due again, as after any refund. ' +
        'Of every other: that it was put right elsewhere (`corrected`) or may stay (`accepted`), which moves no money. Nothing is asked of the provider.',
      operationId: 'resolveMoneyCase',
      rule: by(moneyCasePolicy, 'resolve'),
      params: OrganizationRowParams,
      body: MoneyCaseResolution,
      response: MoneyCaseDetailJson,
      errors: [caseErrors.case_closed, caseErrors.case_closes_itself],
    },
    async ({ actor, params, body }) => {
      authorize(actor, moneyCasePolicy, 'resolve');
      await decideCase(params.id, body, actor.userId);
      return detail(params.id);
    },
  ),
]);
