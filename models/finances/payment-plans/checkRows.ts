import { currentOrganization, oneRow } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';
import type { Installment } from './schedule.js';

/** Rows of somebody's own: as much as is due, the days rising, the first not past. @throws Refusal validation_error */
export function checkRows(rows: readonly Installment[], balance: number, today: string): void {
  const errors: FieldErrors = {};
  rows.forEach(({ due_date }, n) => {
    const before = rows[n - 1];
    if (before && due_date <= before.due_date)
      errors[`installments.${n}.due_date`] = ['Each row is due later than the one before.'];
  });
  if (rows[0] && rows[0].due_date < today) errors['installments.0.due_date'] = ['This day has passed.'];
  if (rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0) !== balance)
    errors['installments'] = ['The rows must come to exactly what is due.'];
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
}

/** The organization's own date. */
export const localDay = async (): Promise<string> =>
  (
    await oneRow<{ today: string }>(
      `SELECT to_char(app.local_day(timezone), 'YYYY-MM-DD') AS today FROM organizations WHERE id = $1`,
      [currentOrganization()],
    )
  ).today;
