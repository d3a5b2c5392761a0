import { z } from 'zod';
import { text } from '../../../models/fields.js';
import { caseErrors } from '../../../models/finances/cases/errors.js';
import { listCases, readCase } from '../../../models/finances/cases/listCases.js';
import { decideCase } from '../../../models/finances/cases/resolveCase.js';
import { MoneyCaseFilters, MoneyCaseJson } from '../../finances/money-cases/schema.js';
import { pageOf, pageRequest, presentPage } from '../../http/pagination.js';
import { RowParams } from '../../http/params.js';
import { authorize, by, foundationAdmin, policy } from '../../http/policy.js';
import { get, post, routes } from '../../http/routes.js';
import { foundation } from '../fields.js';

const giftCasePolicy = policy('money case of gifts', { read: [foundationAdmin], resolve: [foundationAdmin] });

const GiftCaseResolution = z
  .strictObject({ resolution: z.enum(['corrected', 'accepted']), note: text(2000) })
  .meta({ id: 'GiftCaseResolution' });

export const giftCaseRoutes = routes('/api/foundation/money-cases', [
  get(
    '/',
    {
      ...foundation,
      summary: 'Differences between the books of gifts and their payment provider',
      operationId: 'listGiftCases',
      rule: by(giftCasePolicy, 'read'),
      query: MoneyCaseFilters,
      response: pageOf(MoneyCaseJson),
    },
    async ({ actor, query, request }) => {
      authorize(actor, giftCasePolicy, 'read');
      const page = await listCases('foundation', query, { orderBy: query.ordering, ...pageRequest(query) });
      return presentPage(page, query, request, (row) => row);
    },
  ),

  post(
    '/:id/resolve/',
    {
      ...foundation,
      summary: 'Resolve a case',
      description: 'It was corrected elsewhere (`corrected`) or may stay (`accepted`); no money moves.',
      operationId: 'resolveGiftCase',
      rule: by(giftCasePolicy, 'resolve'),
      params: RowParams,
      body: GiftCaseResolution,
      response: MoneyCaseJson,
      errors: [caseErrors.case_closed],
    },
    async ({ actor, params, body }) => {
      authorize(actor, giftCasePolicy, 'resolve');
      await readCase('foundation', params.id);
      await decideCase(params.id, body, actor.userId);
      return readCase('foundation', params.id);
    },
  ),
]);
