import { z } from 'zod';
import { invalid, refuse } from '../../../models/errors.js';
import { day } from '../../../models/fields.js';
import { MOST_ENTRIES, readStatement, type Statement } from '../../../models/finances/ledger/readStatement.js';
import { authorizeInChapter } from '../../organizations/authorizeInChapter.js';
import { RowParams } from '../../http/params.js';
import { by, may } from '../../http/policy.js';
import { get, routes } from '../../http/routes.js';
import { finances, requireSpan } from '../fields.js';
import { invoicePolicy } from '../invoices/policy.js';
import { ownMembership } from '../me/ownMembership.js';
import { ownBillingPolicy } from '../me/policy.js';
import { answerPdf, columnsFor, inWords, amount } from './document.js';

const span = {
  from: day.optional().meta({ description: "The first day, by the organization's clock; left out: since ever." }),
  to: day.optional().meta({ description: 'The last day, which counts; left out: today.' }),
};
const Span = z.object(span);
const OwnSpan = z.object({
  ...span,
  membership: z.uuid().optional().meta({ description: 'Required for those who have several.' }),
});

const pdf = { ...finances, status: 200, textResponse: 'application/pdf' } as const;

/** @throws Refusal validation_error for a span that is yet to begin, or has more entries than one document holds */
function answerStatement(statement: Statement, seesAmounts: boolean) {
  const { currency, entries, from, to } = statement;
  if (from && from > to) throw invalid('from', 'This day is yet to come.');
  if (entries.length > MOST_ENTRIES)
    throw invalid('from', `This span has more than ${MOST_ENTRIES} entries. Ask for a shorter one.`);
  const shown = (cents: number) => amount(cents, currency);
  const start: [string, string] = ['Due when it began', shown(statement.opening_balance_cents)];
  const totals: [string, string][] = [
    ['Due when it ended', shown(statement.closing_balance_cents)],
    ['Credit now', shown(statement.available_credit_cents)],
  ];
  return answerPdf(`statement-${from ?? 'all'}-${to}`, {
    title: `Statement of ${statement.payer}`,
    organization: statement.organization,
    color: statement.color,
    head: [
      ['Chapter', statement.chapter],
      ['From', from ?? 'the beginning'],
      ['To', to],
      ...(seesAmounts ? [start] : []),
    ],
    columns: columnsFor(seesAmounts),
    rows: entries.map((entry) => {
      const what = [entry.day, inWords(entry.kind, entry.description)];
      return seesAmounts ? [...what, shown(entry.effect_cents), shown(entry.running_balance_cents)] : what;
    }),
    totals: seesAmounts ? totals : [],
    asOf: `As of ${statement.as_of}. Days are those of ${statement.organization}.`,
  });
}

export const statementRoutes = [
  ...routes('/api/billing/me', [
    get(
      '/statement/',
      {
        ...pdf,
        summary: "The caller's account over a span of days, as a PDF",
        operationId: 'getOwnStatement',
        rule: by(ownBillingPolicy, 'read_ledger'),
        query: OwnSpan,
      },
      async ({ actor, query }) => {
        requireSpan(query);
        const membership = ownMembership(actor, query.membership?.toLowerCase());
        if (!may(actor, ownBillingPolicy, 'read_ledger', { membership_id: membership })) throw refuse.not_found();
        return answerStatement(await readStatement('member', membership, query), true);
      },
    ),
  ]),

  ...routes('/api/chapters/:id/finances', [
    get(
      '/statement/',
      {
        ...pdf,
        summary: "A chapter's own account over a span of days, as a PDF",
        description: 'Where officers see no amounts, theirs says what happened and when.',
        operationId: 'getChapterStatement',
        rule: by(invoicePolicy, 'read'),
        params: RowParams,
        query: Span,
      },
      async ({ actor, params, query }) => {
        const chapter = params.id.toLowerCase();
        await authorizeInChapter(actor, invoicePolicy, 'read', chapter);
        requireSpan(query);
        const statement = await readStatement('chapter', chapter, query);
        const sees =
          statement.officers_see_amounts || may(actor, invoicePolicy, 'always_see_amounts', { chapter_id: chapter });
        return answerStatement(statement, sees);
      },
    ),
  ]),
];
