import { keptRows } from '../../database/keptRows.js';
import { type PageRequest, requirePage } from '../../database/page.js';
import type { Statement } from '../../database/rows.js';
import { found } from '../../errors.js';
import { type ACCOUNT_KINDS, BALANCES, entriesOf, WITHIN } from './entries.js';

export interface ChapterLedgerEntry {
  kind: (typeof ACCOUNT_KINDS)[number];
  /** The row that it comes from: invoice, line, discount, payment, credit entry, remittance, or the audit entry of a refund. */
  id: string;
  invoice: string | null;
  description: string;
  /** How much it is about. */
  amount_cents: number | null;
  /** What it did to the debt. */
  effect_cents: number | null;
  credit_cents: number | null;
  running_balance_cents: number | null;
  occurred_at: string;
}

export interface ChapterLedger {
  chapter: string;
  chapter_name: string;
  currency: string;
  opening_balance_cents: number | null;
  closing_balance_cents: number | null;
  count: number;
  results: ChapterLedgerEntry[];
}

export interface ChapterLedgerQuery extends PageRequest {
  chapter: string;
  term?: string | undefined;
  /** Days by the organization's clock, both within. */
  from?: string | undefined;
  to?: string | undefined;
  newestFirst: boolean;
}

/** With whether officers see its amounts. */
export type ReadLedger = ChapterLedger & { officers_see_amounts: boolean };

/**
 * What a chapter owes itself and all that led to it, with what it owed before and after the span. In one statement, with whether
 * officers see its amounts. @throws Refusal not_found, page_not_found
 */
export async function readChapterLedger(query: ChapterLedgerQuery): Promise<ReadLedger> {
  const { text, values } = chapterLedgerStatement(query);
  const ledger = found((await keptRows<ReadLedger>(text, values))[0]);
  requirePage(query.page, ledger.results);
  return ledger;
}

/** The statement whose one row is that; none for a chapter that is not there. Planning it takes several times as long as it does. */
export function chapterLedgerStatement({
  chapter,
  newestFirst,
  page,
  pageSize,
  ...span
}: ChapterLedgerQuery): Statement {
  const { term = null, from = null, to = null } = span;
  const order = `ORDER BY t.position ${newestFirst ? 'DESC' : 'ASC'}`;
  const text = `WITH RECURSIVE ${entriesOf('chapter')}
    SELECT c.id AS chapter, c.name AS chapter_name, coalesce(s.currency, 'usd') AS currency,
           app.officers_see_amounts(c.organization_id) AS officers_see_amounts,
           ${BALANCES},
           (SELECT count(*)::int FROM told t WHERE ${WITHIN}) AS count,
           (SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'id', t.id, 'invoice', t.invoice, 'description', t.description,
               'amount_cents', t.amount_cents, 'effect_cents', t.effect_cents, 'credit_cents', t.credit_cents,
               'running_balance_cents', t.running_balance_cents, 'occurred_at', t.at) ${order}), '[]')
              FROM (SELECT * FROM told t WHERE ${WITHIN} ${order} LIMIT $5 OFFSET $6) t) AS results
      FROM chapters c LEFT JOIN org_dues_settings s ON s.organization_id = c.organization_id
     WHERE c.organization_id = (SELECT app.org_id()) AND c.id = $1`;
  return { text, values: [chapter, term, from, to, pageSize, (page - 1) * pageSize], kept: true };
}
