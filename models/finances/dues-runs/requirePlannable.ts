import { currentOrganization, oneRow } from '../../database/rows.js';
import { type FieldErrors, refuse } from '../../errors.js';

const MAX_YEARS_AHEAD = 5;

/**
 * Checks that a dues run can be planned.
 * @throws Refusal validation_error for an unknown term, a term without rates, and a due date in the past or too far in
 * the future
 */
export async function requirePlannable(termId: string, dueDate: string): Promise<void> {
  const facts = await oneRow<{ term: boolean; rates: boolean; past: boolean; far: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM terms WHERE organization_id = $1 AND id = $2) AS term,
            EXISTS (SELECT 1 FROM dues_rates WHERE organization_id = $1 AND term_id = $2) AS rates,
            $3::date < app.local_day(o.timezone) AS past,
            $3::date > (now() + make_interval(years => $4))::date AS far
       FROM organizations o WHERE o.id = $1`,
    [currentOrganization(), termId, dueDate, MAX_YEARS_AHEAD],
  );
  const errors: FieldErrors = {};
  if (!facts.term) errors['term'] = ['There is no such term.'];
  else if (!facts.rates) errors['term'] = ['This term has no dues rates. Set them first.'];
  if (facts.past) errors['due_date'] = ['This date is in the past.'];
  if (facts.far) errors['due_date'] = [`This is more than ${MAX_YEARS_AHEAD} years ahead.`];
  if (Object.keys(errors).length > 0) throw refuse.validation_error(undefined, errors);
}
