import { CREDIT_CAUSES, explainCredit } from '../../../models/finances/explain/explainCredit.js';
import { by, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { explanationJson } from '../explanations.js';
import { finances } from '../fields.js';
import { creditPolicy } from './routes.js';
import { CreditParams, PayerQuery } from './schema.js';

export const creditExplainRoutes = routes('/api/hq/dues/:organization_id/chapters/:chapter_id/credit', [
  get(
    '/explain/',
    {
      ...finances,
      summary: 'Explain the credit of a chapter or a member: every change with its running balance',
      operationId: 'explainCredit',
      rule: by(creditPolicy, 'explain'),
      params: CreditParams,
      query: PayerQuery,
      response: explanationJson('CreditExplanation', CREDIT_CAUSES),
    },
    async ({ actor, params, query: { member } }) => {
      const chapterId = params.chapter_id.toLowerCase();
      const membershipId = member?.toLowerCase() ?? null;
      // Members read their own credit without any right in the chapter.
      if (!may(actor, creditPolicy, 'explain', { membership_id: membershipId }))
        await authorizeInChapter(actor, creditPolicy, 'explain', chapterId);
      return explainCredit({ chapterId, membershipId });
    },
  ),
]);
