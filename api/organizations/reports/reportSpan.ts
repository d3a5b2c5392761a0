import { invalid } from '../../../models/errors.js';
import { readToday } from '../../../models/organizations/readToday.js';

const yearBefore = (day: string): string => new Date(Date.parse(day) - 365 * 86_400_000).toISOString().slice(0, 10);

/**
 * Completes the time span of a report: it ends today, by the organization's date, and begins a year before its end, unless the
 * query says otherwise.
 * @throws Refusal validation_error if it ends before it begins
 */
export async function reportSpan(query: { from?: string | undefined; to?: string | undefined }) {
  const { to = await readToday(), from = yearBefore(to) } = query;
  if (from > to) throw invalid('from', 'Must not be after to.');
  return { from, to };
}
