import { queryPrepared } from '../../database/preparedQuery.js';
import { type PageRequest, requirePage } from '../../database/page.js';
import type { Statement } from '../../database/rows.js';
import { requireFound } from '../../errors.js';
import { type ACCOUNT_KINDS, BALANCES, entriesOf, WITHIN } from './entries.js';

export interface ChapterLedgerEntry {
  kind: (typeof ACCOUNT_KINDS)[number];
  /**
   * Id of the source row: invoice, line, discount, payment, credit entry, remittance, or the audit entry of a refund.
   */
  id: string;
  invoice: string | null;
  description: string;
  /** The full amount of the payment, line or other event, even if only a part of it changes the debt. */
  amount_cents: number | null;
  /** The change of the debt. */
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
  /** Days in the organization's time zone, inclusive. */
  from?: string | undefined;
  to?: string | undefined;
  newestFirst: boolean;
}

/** A chapter's ledger, and whether officers see its amounts. */
export type ChapterLedgerRow = ChapterLedger & { officers_see_amounts: boolean };

/**
 * Reads a chapter's own account in one statement: a page of entries, with the balances before and after the span, and
 * whether officers see amounts. @throws Refusal not_found, page_not_found
 */
export async function readChapterLedger(query: ChapterLedgerQuery): Promise<ChapterLedgerRow> {
  const { text, values } = chapterLedgerStatement(query);
  const ledger = requireFound((await queryPrepared<ChapterLedgerRow>(text, values))[0]);
  requirePage(query.page, ledger.results);
  return ledger;
}

/**
 * Builds the statement of `readChapterLedger`; it returns no row for an unknown chapter. It is a prepared statement,
 * because planning takes several times as long as executing.
 */
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
           (SELECT count(*)::int FROM ledger_entries t WHERE ${WITHIN}) AS count,
           (SELECT coalesce(json_agg(json_build_object('kind', t.kind, 'id', t.id, 'invoice', t.invoice, 'description', t.description,
               'amount_cents', t.amount_cents, 'effect_cents', t.effect_cents, 'credit_cents', t.credit_cents,
               'running_balance_cents', t.running_balance_cents, 'occurred_at', t.at) ${order}), '[]')
              FROM (SELECT * FROM ledger_entries t WHERE ${WITHIN} ${order} LIMIT $5 OFFSET $6) t) AS results
      FROM chapters c LEFT JOIN org_dues_settings s ON s.organization_id = c.organization_id
     WHERE c.organization_id = (SELECT app.org_id()) AND c.id = $1`;
  return { text, values: [chapter, term, from, to, pageSize, (page - 1) * pageSize], prepared: true };
}
