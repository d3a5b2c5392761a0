import { escapeLiteral } from 'pg';
import type { Statement } from './rows.js';

/**
 * The statement as one text with its values in place: so it can travel in one message with others, which parameters cannot.
 * @throws TypeError for a value of any other kind than text, whole number, boolean, null and lists of them
 */
export const withLiterals = ({ text, values }: Statement): string =>
  text.replaceAll(/\$(\d+)/g, (_, position: string) => literal(values[Number(position) - 1]));

function literal(value: unknown): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return `(${value})`;
  if (typeof value === 'number' && Number.isSafeInteger(value)) return `(${value})`;
  // Postgres would take the text to end at a NUL.
  if (typeof value === 'string' && !value.includes('\0')) return escapeLiteral(value);
  if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(',')}]`;
  throw new TypeError(`There is no literal for a value of type ${typeof value}.`);
}
