import { currentOrganization, oneRow } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';
import type { Installment } from './schedule.js';

/**
 * Checks a custom schedule: the amounts add up to the balance, the dates rise, and the first is not past. @throws
 * Refusal validation_error
 */
export function checkSchedule(rows: readonly Installment[], balance: number, today: string): void {
  const errors: FieldErrors = {};
  rows.forEach(({ due_date }, n) => {
    const previous = rows[n - 1];
    if (previous && due_date <= previous.due_date)
      errors[`installments.${n}.due_date`] = ['Each installment must be due later than the one before.'];
  });
  if (rows[0] && rows[0].due_date < today) errors['installments.0.due_date'] = ['This date is in the past.'];
  if (rows.reduce((sum, { amount_cents }) => sum + amount_cents, 0) !== balance)
    errors['installments'] = ['The installments must add up to exactly the balance.'];
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
}

/** Returns the organization's local date. */
export const readLocalDay = async (): Promise<string> =>
  (
    await oneRow<{ today: string }>(
      `SELECT to_char(app.local_day(timezone), 'YYYY-MM-DD') AS today FROM organizations WHERE id = $1`,
      [currentOrganization()],
    )
  ).today;
