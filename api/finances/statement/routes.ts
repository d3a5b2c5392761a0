import { z } from 'zod';
import { invalid, refuse } from '../../../models/errors.js';
import { day } from '../../../models/fields.js';
import { composeStatement } from '../../../models/finances/documents/composeStatement.js';
import { DRAWN_AT_ONCE, MOST_LINES } from '../../../models/finances/documents/readDocument.js';
import type { Payer } from '../../../models/finances/ledger/entries.js';
import { readStatement, type Statement } from '../../../models/finances/ledger/readStatement.js';
import type { Actor } from '../../../models/identity/Actor.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, type RequestFacts, routes } from '../../http/routes.js';
import { seesAmounts } from '../amounts.js';
import { requireSpan } from '../fields.js';
import { invoicePolicy } from '../invoices/policy.js';
import { ownMembership } from '../me/ownMembership.js';
import { ownBillingPolicy } from '../me/policy.js';
import { answerDocument, LONG, pdf } from './document.js';

const span = {
  from: day.optional().meta({ description: "The first day, by the organization's clock; left out: since ever." }),
  to: day.optional().meta({ description: 'The last day, which counts; left out: today.' }),
};
const Span = z.object(span);
const OwnSpan = z.object({
  ...span,
  membership: z.uuid().optional().meta({ description: 'Required for those who have several.' }),
});

/** @throws Refusal validation_error for a span that is yet to begin, or has more entries than one document holds */
function answerStatement(
  context: { actor: Actor; request: RequestFacts },
  { of, id }: { of: Payer; id: string },
  statement: Statement,
  amounts: boolean,
) {
  const { count, from, to } = statement;
  if (from && from > to) throw invalid('from', 'This day is yet to come.');
  if (count > MOST_LINES)
    throw invalid('from', `This span has more than ${MOST_LINES} entries. Ask for a shorter one.`);
  return answerDocument(context, { of, id, from, to, amounts }, count, () => composeStatement(statement, amounts));
}

export const statementRoutes = [
  ...routes('/api/billing/me', [
    get(
      '/statement/',
      {
        ...pdf,
        summary: "The caller's account over a span of days, as a PDF",
        description: LONG,
        operationId: 'getOwnStatement',
        rule: by(ownBillingPolicy, 'read_ledger'),
        query: OwnSpan,
      },
      async ({ actor, query, request }) => {
        requireSpan(query);
        const membership = ownMembership(actor, query.membership?.toLowerCase());
        if (!may(actor, ownBillingPolicy, 'read_ledger', { membership_id: membership })) throw refuse.not_found();
        const statement = await readStatement('member', membership, query, DRAWN_AT_ONCE);
        return answerStatement({ actor, request }, { of: 'member', id: membership }, statement, true);
      },
    ),
  ]),

  ...routes('/api/chapters/:id/finances', [
    get(
      '/statement/',
      {
        ...pdf,
        summary: "A chapter's own account over a span of days, as a PDF",
        description: `Where officers see no amounts, theirs says what happened and when. ${LONG}`,
        operationId: 'getChapterStatement',
        rule: by(invoicePolicy, 'read'),
        params: RowParams,
        query: Span,
      },
      async ({ actor, params, query, request }) => {
        const chapter = params.id.toLowerCase();
        await authorizeInChapter(actor, invoicePolicy, 'read', chapter);
        requireSpan(query);
        const statement = await readStatement('chapter', chapter, query, DRAWN_AT_ONCE);
        const sees = seesAmounts(actor, { chapter_id: chapter }, statement.officers_see_amounts);
        return answerStatement({ actor, request }, { of: 'chapter', id: chapter }, statement, sees);
      },
    ),
  ]),
];
