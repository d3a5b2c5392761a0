/** Reads invoices for an export in batches, in the order of their ids, which do not change meanwhile. */
import { oneRow, rows } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { buildConditions } from '../invoices/listInvoices.js';
import { type ColumnName, findColumn } from './columns.js';
import type { ExportFilters } from './InvoiceExport.js';

/** Invoices per statement. */
const BATCH_SIZE = 2_000;

export interface ExportSelection {
  /** Limits the export to this chapter; null: the whole organization. */
  chapter: string | null;
  filters: ExportFilters;
  cutOff: Date;
}

export interface InvoiceCells {
  currency: string;
  /** Cells in the order of the columns. */
  cells: (string | number | null)[];
}

export interface InvoiceBatch {
  invoices: InvoiceCells[];
  /** The id after which the next batch begins; null: this is the last batch. */
  last: string | null;
}

// Joins that add names to invoices. The person is looked up by key, because a plain join may read all users of the
// platform.
const NAME_JOINS = `JOIN chapters c ON c.organization_id = i.organization_id AND c.id = i.chapter_id
  LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
  LEFT JOIN LATERAL (SELECT first_name, last_name FROM users WHERE users.id = m.user_id OFFSET 0) u ON true
  LEFT JOIN terms t ON t.organization_id = i.organization_id AND t.id = i.term_id`;

/**
 * Builds the condition for the invoices that the lists would show with these filters, without invoices created after
 * the cut-off.
 */
function conditionOf({ chapter, filters, cutOff }: ExportSelection): { where: string; values: unknown[] } {
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
  const { where, values } = buildConditions({
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

export async function countInvoices(selection: ExportSelection): Promise<number> {
  const { where, values } = conditionOf(selection);
  return (await oneRow<{ count: number }>(`SELECT count(*)::int FROM chapter_invoices i WHERE ${where}`, values)).count;
}

export async function readNextInvoices(
  selection: ExportSelection,
  names: readonly ColumnName[],
  after: string | null,
): Promise<InvoiceBatch> {
  const { where, values } = conditionOf(selection);
  const batch = await rows<InvoiceCells & { id: string }>(
    `WITH batch AS MATERIALIZED (
       SELECT i.* FROM chapter_invoices i WHERE ${where} AND i.id > $${values.push(after ?? NIL)} ORDER BY i.id LIMIT ${BATCH_SIZE})
     SELECT i.id, i.currency, json_build_array(${names.map((name) => findColumn(name).sql).join(', ')}) AS cells
       FROM batch i ${NAME_JOINS} ORDER BY i.id`,
    values,
  );
  return { invoices: batch, last: batch.length === BATCH_SIZE ? (batch.at(-1)?.id ?? null) : null };
}
