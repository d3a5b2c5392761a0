import { withoutFormula } from '../../../gateways/tables/formulas.js';
import type { linesWithErrors } from '../../../models/organizations/imports/listLines.js';

const cell = (text: string): string => {
  const safe = withoutFormula(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** CSV (RFC 4180) as the file was, with the line and what is wrong before it. No cell of it is a formula. */
export const errorsTable = (columns: string[], lines: Awaited<ReturnType<typeof linesWithErrors>>): string =>
  [
    ['line', 'errors', ...columns],
    ...lines.map(({ line, cells, errors, why }) => [String(line), wrong(errors, why), ...cells]),
  ]
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('');

const wrong = (errors: Record<string, string[]>, why: string | null): string =>
  [...Object.entries(errors).map(([field, messages]) => `${field}: ${messages.join(' ')}`), ...(why ? [why] : [])].join(
    '; ',
  );
