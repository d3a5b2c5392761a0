import { invalid } from '../../../models/errors.js';

const today = (): string => new Date().toISOString().slice(0, 10);
const yearBefore = (day: string): string => new Date(Date.parse(day) - 365 * 86_400_000).toISOString().slice(0, 10);

/**
 * Completes the time span of a report: it ends today and begins a year before its end, unless the query says otherwise.
 * @throws Refusal validation_error if it ends before it begins
 */
export function reportSpan(query: { from?: string | undefined; to?: string | undefined }) {
  const { to = today(), from = yearBefore(to) } = query;
  if (from > to) throw invalid('from', 'Must not be after to.');
  return { from, to };
}
