import { z } from 'zod';
import { invalid, refuse } from '../../../models/errors.js';
import { day } from '../../../models/fields.js';
import { composeStatement } from '../../../models/finances/documents/composeStatement.js';
import { MAX_INLINE_LINES, MAX_DOCUMENT_LINES } from '../../../models/finances/documents/readDocument.js';
import type { AccountType } from '../../../models/finances/ledger/entries.js';
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
import { ownBillingPolicy } from '../me/routes.js';
import { answerDocument, LONG_DOCUMENT_NOTE, pdf } from './document.js';

const span = {
  from: day
    .optional()
    .meta({ description: "The first day, in the organization's time zone; if left out, from the beginning." }),
  to: day.optional().meta({ description: 'The last day, inclusive; if left out, today.' }),
};
const Span = z.object(span);
const OwnSpan = z.object({
  ...span,
  membership: z.uuid().optional().meta({ description: 'Required if you have several memberships.' }),
});

/**
 * Answers with the statement as a document. @throws Refusal validation_error if the first day is in the future, or if
 * there are more entries than one document holds
 */
function answerStatement(
  context: { actor: Actor; request: RequestFacts },
  { of, id }: { of: AccountType; id: string },
  statement: Statement,
  amounts: boolean,
) {
  const { count, from, to } = statement;
  if (from && from > to) throw invalid('from', 'Must not be in the future.');
  if (count > MAX_DOCUMENT_LINES)
    throw invalid('from', `This range has more than ${MAX_DOCUMENT_LINES} entries. Request a shorter one.`);
  return answerDocument(context, { of, id, from, to, amounts }, count, () => composeStatement(statement, amounts));
}

export const statementRoutes = [
  ...routes('/api/billing/me', [
    get(
      '/statement/',
      {
        ...pdf,
        summary: "The caller's account over a range of days, as a PDF",
        description: LONG_DOCUMENT_NOTE,
        operationId: 'getOwnStatement',
        rule: by(ownBillingPolicy, 'read_ledger'),
        query: OwnSpan,
      },
      async ({ actor, query, request }) => {
        requireSpan(query);
        const membership = ownMembership(actor, query.membership?.toLowerCase());
        if (!may(actor, ownBillingPolicy, 'read_ledger', { membership_id: membership })) throw refuse.not_found();
        const statement = await readStatement('member', membership, query, MAX_INLINE_LINES);
        return answerStatement({ actor, request }, { of: 'member', id: membership }, statement, true);
      },
    ),
  ]),

  ...routes('/api/chapters/:id/finances', [
    get(
      '/statement/',
      {
        ...pdf,
        summary: "A chapter's own account over a range of days, as a PDF",
        description: `A reader who sees no amounts gets the events and their dates. ${LONG_DOCUMENT_NOTE}`,
        operationId: 'getChapterStatement',
        rule: by(invoicePolicy, 'read'),
        params: RowParams,
        query: Span,
      },
      async ({ actor, params, query, request }) => {
        const chapter = params.id.toLowerCase();
        await authorizeInChapter(actor, invoicePolicy, 'read', chapter);
        requireSpan(query);
        const statement = await readStatement('chapter', chapter, query, MAX_INLINE_LINES);
        const showsAmounts = seesAmounts(actor, { chapter_id: chapter }, statement.officers_see_amounts);
        return answerStatement({ actor, request }, { of: 'chapter', id: chapter }, statement, showsAmounts);
      },
    ),
  ]),
];
