/** Hidden amounts: how tests plant them, and how an answer of any format is searched for them. */
import { asOwner } from '../support/owner.js';
import { isolatedTables } from './everyTable.js';

/** Planted amounts are above it; amounts of other rows are below, and may coincide with other numbers. */
export const LEAST = 1_000_000;

/** Every amount of an organization's rows, by the catalog's columns. */
export async function amountsInTables(organizationId: string): Promise<number[]> {
  const found: number[] = [];
  for (const table of await isolatedTables()) {
    const rows = await asOwner<{ cents: string }>(
      `SELECT DISTINCT amount.value #>> '{}' AS cents FROM ${table} t CROSS JOIN LATERAL jsonb_each(to_jsonb(t)) amount
        WHERE t.organization_id = $1 AND amount.key LIKE '%\\_cents' AND jsonb_typeof(amount.value) = 'number'`,
      [organizationId],
    );
    found.push(...rows.map(({ cents }) => Math.abs(Number(cents))));
  }
  return found;
}

/** Every number in an answer whose field is named like an amount. */
export function amountsIn(body: unknown, name = ''): number[] {
  if (typeof body === 'number') return name.endsWith('_cents') ? [Math.abs(body)] : [];
  if (body === null || typeof body !== 'object') return [];
  const isList = Array.isArray(body);
  return Object.entries(body).flatMap(([key, value]) => amountsIn(value, isList ? name : key));
}

/** Fields named like an amount that may be shown. Zero is shown for the caller's own account, and nowhere else. */
export function toldIn(body: unknown, path: string[] = []): string[] {
  if (body === null || typeof body !== 'object') {
    const isAmount = /_cents$|amount|balance/.test(path.findLast((step) => !/^\d+$/.test(step)) ?? '');
    return isAmount && typeof body === 'number' ? [path.join('.')] : [];
  }
  return Object.entries(body).flatMap(([key, value]) => toldIn(value, [...path, key]));
}

/** Amounts as cents, and as money in the notations that people write. */
function written(cents: number): string[] {
  const [whole, rest] = [String(Math.floor(cents / 100)), String(cents % 100).padStart(2, '0')];
  const grouped = (by: string) => whole.replaceAll(/\B(?=(\d{3})+$)/g, by);
  const short = rest.endsWith('0') ? [`${whole}.${rest[0]}`] : [];
  return [
    String(cents),
    ...short,
    ...['', ',', '.', ' ', ' ', ' ', "'"].flatMap((by) => [`${grouped(by)}.${rest}`, `${grouped(by)},${rest}`]),
  ];
}

/** Finds any of the amounts in a text, where it is not part of a longer word. */
export function finderOf(amounts: readonly number[]): (text: string) => string[] {
  const words = new Set(amounts.filter((cents) => cents >= LEAST).flatMap(written));
  return (text) =>
    [...new Set(text.match(/(?<![\w-])\d[\d.,'   ]*\d(?![\w-])/g) ?? [])].filter((word) => words.has(word));
}
