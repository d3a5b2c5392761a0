import { type Page, type PageQuery, type PageRequest, selectPage } from '../../database/page.js';
import { anyLike, containing } from '../../organizations/search.js';
import type { InvoiceStatus, PayerType } from './ChapterInvoice.js';
import { COLUMNS, type InvoiceRow, PAYER, SUMMARY } from './invoice.js';

/** Which invoices; together they narrow. */
export interface InvoiceFilters {
  chapter?: string | undefined;
  payerType?: PayerType | undefined;
  status?: InvoiceStatus | undefined;
  term?: string | undefined;
  /** One membership, or those of one person. */
  memberships?: string[] | undefined;
  /** Days, exclusive. */
  dueBefore?: string | undefined;
  dueAfter?: string | undefined;
  /** In the payer's name or the description. */
  search?: string | undefined;
}

export interface InvoiceQuery extends InvoiceFilters, PageRequest {
  orderBy: string;
}

// The tenant's people, each by key: a plain join would read everybody of the platform, whatever the tenant has.
const searchIn = (
  chapter: string,
): string => `(${anyLike(['i.description', 'i.payer_name'], '?')} OR i.membership_id IN (
    SELECT m.id FROM memberships m
      CROSS JOIN LATERAL (SELECT first_name, last_name FROM users WHERE users.id = m.user_id OFFSET 0) u
     WHERE m.organization_id = (SELECT app.org_id()) ${chapter && `AND m.chapter_id = ${chapter}`}
       AND ${anyLike([`u.first_name || ' ' || u.last_name`], '?')})
  OR (i.payer_type = 'chapter' AND i.chapter_id IN (
    SELECT c.id FROM chapters c WHERE c.organization_id = (SELECT app.org_id()) AND ${anyLike(['c.name'], '?')})))`;

/** The same as `payer_type`, by the table's own check; indexes know it in this form. */
const PAYER_IS = { member: 'i.membership_id IS NOT NULL', chapter: 'i.membership_id IS NULL' } as const;

/** A page of invoices in one statement: filters and order come from an index, names are joined to the chosen rows. */
export const listInvoices = (query: InvoiceQuery): Promise<Page<InvoiceRow>> =>
  selectPage<InvoiceRow>(pageOf(query, COLUMNS), { keeps: !query.search });

/** A page of InvoiceSummary, for those who see every amount. */
export const summaryPage = (query: InvoiceQuery): PageQuery => pageOf(query, SUMMARY);

/** SQL of which invoices `i` of the tenant these let through, and its values. */
export function chosenBy(filters: InvoiceFilters): { where: string[]; values: unknown[] } {
  const where = ['i.organization_id = (SELECT app.org_id())'];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined) where.push(condition.replaceAll('?', `$${values.push(value)}`));
  };
  add('i.chapter_id = ?', filters.chapter);
  if (filters.payerType) where.push(PAYER_IS[filters.payerType]);
  add('i.status = ?', filters.status);
  add('i.term_id = ?', filters.term);
  add('i.membership_id = ANY(?::uuid[])', filters.memberships);
  add('i.due_date < ?::date', filters.dueBefore);
  add('i.due_date > ?::date', filters.dueAfter);
  // The chapter is the first value, where there is one.
  add(searchIn(filters.chapter ? '$1' : ''), filters.search && containing(filters.search));
  return { where, values };
}

function pageOf({ page, pageSize, orderBy, ...filters }: InvoiceQuery, columns: string): PageQuery {
  const { where, values } = chosenBy(filters);
  return {
    from: 'chapter_invoices i',
    where: where.join(' AND '),
    values,
    orderBy,
    key: 'i.id',
    select: columns,
    join: PAYER,
    page,
    pageSize,
  };
}
