import { type Page, type PageRequest, selectPage } from '../../database/page.js';
import { COLUMNS, type InvoiceRow, type InvoiceStatus, PAYER, type PayerType } from './invoice.js';

export interface InvoiceQuery extends PageRequest {
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
  orderBy: string;
}

const SEARCH = `(i.description ILIKE ? OR i.payer_name ILIKE ? OR i.membership_id IN (
    SELECT m.id FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.organization_id = (SELECT app.org_id()) AND u.first_name || ' ' || u.last_name ILIKE ?)
  OR (i.payer_type = 'chapter' AND i.chapter_id IN (
    SELECT c.id FROM chapters c WHERE c.organization_id = (SELECT app.org_id()) AND c.name ILIKE ?)))`;

/** A page of invoices in one statement: filters and order come from an index, names are joined to the chosen rows. */
export function listInvoices({ page, pageSize, orderBy, ...filters }: InvoiceQuery): Promise<Page<InvoiceRow>> {
  const where = ['i.organization_id = (SELECT app.org_id())'];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown): void => {
    if (value !== undefined) where.push(condition.replaceAll('?', `$${values.push(value)}`));
  };
  add('i.chapter_id = ?', filters.chapter);
  add('i.payer_type = ?', filters.payerType);
  add('i.status = ?', filters.status);
  add('i.term_id = ?', filters.term);
  add('i.membership_id = ANY(?::uuid[])', filters.memberships);
  add('i.due_date < ?::date', filters.dueBefore);
  add('i.due_date > ?::date', filters.dueAfter);
  add(SEARCH, filters.search && `%${filters.search.replaceAll(/[\\%_]/g, '\\$&')}%`);
  return selectPage<InvoiceRow>({
    from: 'chapter_invoices i',
    where: where.join(' AND '),
    values,
    orderBy,
    key: 'i.id',
    select: COLUMNS,
    join: PAYER,
    page,
    pageSize,
  });
}
