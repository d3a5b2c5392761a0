/** Invoices as rows of a table, a page at a time, in the order of their ids, which nobody changes meanwhile. */
import { currentOrganization, oneRow, rows } from '../../database/rows.js';
import { NIL } from '../../database/uuid.js';
import { type ColumnName, columnNamed, decimal, isAmount } from './columns.js';
import type { ExportFilters } from './InvoiceExport.js';

/** Invoices that one statement reads. */
const PAGE = 2_000;

export interface Chosen {
  chapter: string | null;
  filters: ExportFilters;
  cutOff: Date;
}

export interface InvoiceRows {
  /** In the order of the columns; amounts as decimal numbers. */
  rows: (string | null)[][];
  /** Of each currency the sums of this page, by the column's place, in minor units. */
  sums: Map<string, Map<number, bigint>>;
  /** Where the next page begins; null: there are no more. */
  last: string | null;
}

const CHOSEN = `i.organization_id = $1 AND i.created_at <= $2 AND ($3::uuid IS NULL OR i.chapter_id = $3)
  AND ($4::uuid IS NULL OR i.chapter_id = $4) AND ($5::text IS NULL OR i.payer_type = $5) AND ($6::text IS NULL OR i.status = $6)
  AND ($7::uuid IS NULL OR i.term_id = $7) AND ($8::uuid IS NULL OR i.membership_id = $8)
  AND ($9::date IS NULL OR i.due_date < $9) AND ($10::date IS NULL OR i.due_date > $10)`;

const NAMES = `JOIN chapters c ON c.organization_id = i.organization_id AND c.id = i.chapter_id
  LEFT JOIN memberships m ON m.organization_id = i.organization_id AND m.id = i.membership_id
  LEFT JOIN LATERAL (SELECT first_name, last_name FROM users WHERE users.id = m.user_id OFFSET 0) u ON true
  CROSS JOIN LATERAL (SELECT coalesce(i.payer_name, u.first_name || ' ' || u.last_name, c.name) AS name) payer`;
const FOUND = `($11::text IS NULL OR i.description ILIKE $11 OR payer.name ILIKE $11)`;

const valuesOf = ({ chapter, filters, cutOff }: Chosen): unknown[] => [
  currentOrganization(),
  cutOff,
  ...[
    chapter,
    filters.chapter,
    filters.payer_type,
    filters.status,
    filters.term,
    filters.membership,
    filters.due_before,
    filters.due_after,
    filters.search && `%${filters.search.replaceAll(/[\\%_]/g, '\\$&')}%`,
  ].map((value) => value ?? null),
];

export const countInvoices = async (chosen: Chosen): Promise<number> =>
  (
    await oneRow<{ count: number }>(
      `SELECT count(*)::int FROM chapter_invoices i ${NAMES} WHERE ${CHOSEN} AND ${FOUND}`,
      valuesOf(chosen),
    )
  ).count;

export async function readNextInvoices(
  chosen: Chosen,
  names: readonly ColumnName[],
  after: string | null,
): Promise<InvoiceRows> {
  const page = await rows<{ id: string; currency: string; cells: (string | number | null)[] | null }>(
    `WITH page AS MATERIALIZED (
       SELECT i.* FROM chapter_invoices i WHERE ${CHOSEN} AND i.id > $12 ORDER BY i.id LIMIT ${PAGE})
     SELECT i.id, i.currency, CASE WHEN ${FOUND} THEN json_build_array(${names.map((name) => columnNamed(name).sql).join(', ')}) END AS cells
       FROM page i ${NAMES} LEFT JOIN terms t ON t.organization_id = i.organization_id AND t.id = i.term_id ORDER BY i.id`,
    [...valuesOf(chosen), after ?? NIL],
  );
  const sums: InvoiceRows['sums'] = new Map();
  const written = page.flatMap(({ currency, cells }) =>
    cells ? [cells.map((cell, n) => asCell(cell, n, names, currency, sums))] : [],
  );
  return { rows: written, sums, last: page.length === PAGE ? (page.at(-1)?.id ?? null) : null };
}

function asCell(
  cell: string | number | null,
  place: number,
  names: readonly ColumnName[],
  currency: string,
  sums: InvoiceRows['sums'],
): string | null {
  if (cell === null || !isAmount(names[place] as ColumnName)) return cell === null ? null : String(cell);
  const amount = BigInt(cell);
  const ofCurrency = sums.get(currency) ?? new Map<number, bigint>();
  ofCurrency.set(place, (ofCurrency.get(place) ?? 0n) + amount);
  sums.set(currency, ofCurrency);
  return decimal(amount, currency);
}
