import { type Page, type PageQuery, type PageRequest, selectPage } from '../../database/page.js';
import { anyLike, containing } from '../../organizations/search.js';
import type { InvoiceStatus, PayerType } from './ChapterInvoice.js';
import { COLUMNS, type InvoiceRow, PAYER, SUMMARY } from './invoice.js';

/** Filters of invoice lists; together they narrow the list. */
export interface InvoiceFilters {
  chapter?: string | undefined;
  payerType?: PayerType | undefined;
  status?: InvoiceStatus | undefined;
  term?: string | undefined;
  /** Ids of one membership, or of all memberships of one person. */
  memberships?: string[] | undefined;
  /** Limits of the due date. An invoice that is due on one of these dates does not match. */
  dueBefore?: string | undefined;
  dueAfter?: string | undefined;
  /** Search in the payer's name and the description. */
  search?: string | undefined;
}

export interface InvoiceQuery extends InvoiceFilters, PageRequest {
  orderBy: string;
}

// Builds the SQL condition that searches descriptions and payers' names. It reads each user by key, because a plain
// join would read all users of the platform.
const searchIn = (
  chapter: string,
): string => `(${anyLike(['i.description', 'i.payer_name'], '?')} OR i.membership_id IN (
    SELECT m.id FROM memberships m
      CROSS JOIN LATERAL (SELECT first_name, last_name FROM users WHERE users.id = m.user_id OFFSET 0) u
     WHERE m.organization_id = (SELECT app.org_id()) ${chapter && `AND m.chapter_id = ${chapter}`}
       AND ${anyLike([`u.first_name || ' ' || u.last_name`], '?')})
  OR (i.payer_type = 'chapter' AND i.chapter_id IN (
    SELECT c.id FROM chapters c WHERE c.organization_id = (SELECT app.org_id()) AND ${anyLike(['c.name'], '?')})))`;

/**
 * SQL conditions for the payer's type. They equal a test of `payer_type` (a check constraint ensures it), but in this
 * form Postgres can use the indexes.
 */
const PAYER_IS = { member: 'i.membership_id IS NOT NULL', chapter: 'i.membership_id IS NULL' } as const;

/**
 * Lists a page of invoices in one statement. An index provides the filters and the order, and names are joined only to
 * the rows of the page.
 */
export const listInvoices = (query: InvoiceQuery): Promise<Page<InvoiceRow>> =>
  selectPage<InvoiceRow>(toPageQuery(query, COLUMNS), { usesGenericPlan: !query.search });

/** Builds the query of a page of InvoiceSummary, for readers who see all amounts. */
export const summaryPageQuery = (query: InvoiceQuery): PageQuery => toPageQuery(query, SUMMARY);

/** Builds the SQL conditions for the tenant's invoices `i` that match the filters, and their values. */
export function buildConditions(filters: InvoiceFilters): { where: string[]; values: unknown[] } {
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
  // If there is a chapter filter, its value is `$1`, because its condition comes first.
  add(searchIn(filters.chapter ? '$1' : ''), filters.search && containing(filters.search));
  return { where, values };
}

function toPageQuery({ page, pageSize, orderBy, ...filters }: InvoiceQuery, columns: string): PageQuery {
  const { where, values } = buildConditions(filters);
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
