/** The columns of an invoice export. */

interface ExportColumn {
  title: string;
  type: 'text' | 'day' | 'money';
  /** SQL over an invoice `i`, its person `u`, its chapter `c` and its term `t`. */
  sql: string;
}

const COLUMNS = {
  id: { title: 'Invoice', type: 'text', sql: 'i.id' },
  payer_name: {
    title: 'Payer',
    type: 'text',
    sql: "coalesce(i.payer_name, u.first_name || ' ' || u.last_name, c.name)",
  },
  payer_type: { title: 'Payer type', type: 'text', sql: 'i.payer_type' },
  chapter: { title: 'Chapter', type: 'text', sql: 'c.name' },
  term: { title: 'Term', type: 'text', sql: 't.name' },
  description: { title: 'Description', type: 'text', sql: 'i.description' },
  status: { title: 'Status', type: 'text', sql: 'i.status' },
  issue_date: { title: 'Issued', type: 'day', sql: 'i.issue_date' },
  due_date: { title: 'Due', type: 'day', sql: 'i.due_date' },
  original_due_date: { title: 'First due', type: 'day', sql: 'coalesce(i.original_due_date, i.due_date)' },
  currency: { title: 'Currency', type: 'text', sql: 'upper(i.currency)' },
  total_cents: { title: 'Total', type: 'money', sql: 'i.total_cents' },
  discount_cents: { title: 'Discounts', type: 'money', sql: 'i.discount_cents' },
  credit_cents: { title: 'Credit', type: 'money', sql: 'i.credit_cents' },
  paid_cents: { title: 'Paid', type: 'money', sql: 'i.paid_cents' },
  balance_due_cents: { title: 'Balance due', type: 'money', sql: 'i.balance_due_cents' },
} as const satisfies Record<string, ExportColumn>;

export type ColumnName = keyof typeof COLUMNS;
export const EXPORT_COLUMNS = Object.keys(COLUMNS) as [ColumnName, ...ColumnName[]];

export const isAmount = (name: ColumnName): boolean => COLUMNS[name].type === 'money';
export const findColumn = (name: ColumnName): ExportColumn => COLUMNS[name];

/**
 * Returns the columns of an export file. Amount columns are left out if amounts are hidden; otherwise they come with a
 * currency column.
 */
export function selectColumns(names: readonly ColumnName[], showsAmounts: boolean): ColumnName[] {
  const selected = names.filter((name) => showsAmounts || !isAmount(name));
  return selected.some(isAmount) && !selected.includes('currency') ? [...selected, 'currency'] : selected;
}
