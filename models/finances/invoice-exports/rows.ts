/** Invoices as an export reads them, a page at a time, in the order of their ids, which nobody changes meanwhile. */
import { oneRow, rows } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { chosenBy } from '../invoices/listInvoices.js';
import { type ColumnName, columnNamed } from './columns.js';
import type { ExportFilters } from './InvoiceExport.js';

/** Invoices that one statement reads. */
const PAGE = 2_000;

export interface Chosen {
  /** Of which alone; null: of the organization. */
  chapter: string | null;
  filters: ExportFilters;
  cutOff: Date;
}

export interface InvoiceCells {
  currency: string;
  /** In the order of the columns. */
  cells: (string | number | null)[];
}

export interface InvoicePage {
  invoices: InvoiceCells[];
  /** Where the next page begins; null: there are no more. */
  last: string | null;
}

// Its person by key: a plain join may read everybody of the platform.
const NAMES = `JOIN chapters c ON c.organization_id = i.organization_id AND c.id = i.chapter_id
  LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
  LEFT JOIN LATERAL (SELECT first_name, last_name FROM users WHERE users.id = m.user_id OFFSET 0) u ON true
  LEFT JOIN terms t ON t.organization_id = i.organization_id AND t.id = i.term_id`;

/** The same invoices as in the lists, but for those that were made later. */
function chosen({ chapter, filters, cutOff }: Chosen): { where: string; values: unknown[] } {
  const {
    payer_type: payerType,
    status,
    term,
    membership,
    due_before: dueBefore,
    due_after: dueAfter,
    search,
  } = filters;
  const memberships = membership === undefined ? undefined : [membership];
  const { where, values } = chosenBy({
    chapter: chapter ?? filters.chapter,
    payerType,
    status,
    term,
    memberships,
    dueBefore,
    dueAfter,
    search,
  });
  where.push(`i.created_at <= $${values.push(cutOff)}`);
  if (chapter && filters.chapter) where.push(`i.chapter_id = $${values.push(filters.chapter)}`);
  return { where: where.join(' AND '), values };
}

export async function countInvoices(which: Chosen): Promise<number> {
  const { where, values } = chosen(which);
  return (await oneRow<{ count: number }>(`SELECT count(*)::int FROM chapter_invoices i WHERE ${where}`, values)).count;
}

export async function readNextInvoices(
  which: Chosen,
  names: readonly ColumnName[],
  after: string | null,
): Promise<InvoicePage> {
  const { where, values } = chosen(which);
  const page = await rows<InvoiceCells & { id: string }>(
    `WITH page AS MATERIALIZED (
       SELECT i.* FROM chapter_invoices i WHERE ${where} AND i.id > $${values.push(after ?? NIL)} ORDER BY i.id LIMIT ${PAGE})
     SELECT i.id, i.currency, json_build_array(${names.map((name) => columnNamed(name).sql).join(', ')}) AS cells
       FROM page i ${NAMES} ORDER BY i.id`,
    values,
  );
  return { invoices: page, last: page.length === PAGE ? (page.at(-1)?.id ?? null) : null };
}
