/** Hostile values, by the kind of value that they replace. */
import type { Ids } from './foreignIds.js';

export type Path = (string | number)[];

/** Every value within a body, and the body itself. */
export function placesIn(value: unknown, path: Path = []): { path: Path; value: unknown }[] {
  const inner = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  return [{ path, value }, ...inner.flatMap(([name, one]) => placesIn(one, [...path, name]))];
}

const LEFT_OUT = Symbol('left out');

/** The body with another value in one place. */
export function withValue(body: unknown, [name, ...rest]: Path, value: unknown): unknown {
  if (name === undefined) return value === LEFT_OUT ? undefined : value;
  const copy = structuredClone(body) as Record<string, unknown>;
  const inner = withValue(copy[name], rest, value);
  if (inner === undefined && rest.length === 0) delete copy[name];
  else copy[name] = inner;
  return copy;
}

const ANYTHING: readonly unknown[] = [LEFT_OUT, null, true, '', ' ', 0, -1, 1.5, 1e308, [], {}, [null], [[[]]]];

const NUMBERS = [-0, 1, 0.001, 2 ** 31 - 1, 2 ** 31, 2 ** 53 + 2, 5e-324, '1', '0x1'];

const WORDS = [
  'x',
  '𝔸'.repeat(100),
  '𝔸'.repeat(255),
  'é'.repeat(20_000),
  'x'.repeat(90_000),
  '\u202Egnp.exe',
  '\u200B',
  '\uFEFF',
  '\u01C5\u0345ß\u0130',
  '\0',
  '\uD800',
  '%_\\',
  "'; --",
  '$1 {0}',
  '=1+1',
  'a\r\nBcc: all@example.org',
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '../../etc/passwd',
  'http://127.0.0.1:1/',
  'https://example.org:99999/',
  '"a b"@example.org',
  'a@xn--e1afmkfd.example',
  'Ａ@example.org',
];

const DAYS = ['0001-01-01', '1800-01-01', '2200-12-31', '9999-12-31', '2024-02-29', '2026-02-30', 'infinity'];

const MOMENTS = [
  '9999-12-31T23:59:59-23:59',
  '9999-12-31T23:59:59Z',
  '0001-01-01T00:00:00+23:59',
  '0000-01-01T00:00:00Z',
  '1900-01-01T00:00:00+23:59',
  '2026-03-29T02:30:00+23:59',
  '2026-11-22T24:00:00Z',
  '2026-11-22T10:00:00.123456789Z',
  '2026-11-22T10:00:00',
  'now',
];

const KEYS = ['__proto__', 'constructor', '', 'a.b', '\0', '\uD800'];

/** The body with one more field, of any name. */
function oneMore(value: object, name: string): object {
  const copy = { ...value };
  Object.defineProperty(copy, name, { value: { x: 1 }, enumerable: true, configurable: true, writable: true });
  return copy;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** @param ids of the tenant's own rows, by table: mostly of the wrong table */
export function hostileFor(value: unknown, ids: Ids): unknown[] {
  if (Array.isArray(value))
    return [...ANYTHING, [...(value as unknown[]), ...(value as unknown[])], Array(300).fill(value[0] ?? 'x')];
  if (value !== null && typeof value === 'object') return [...ANYTHING, ...KEYS.map((name) => oneMore(value, name))];
  if (typeof value === 'number') return [...ANYTHING, ...NUMBERS];
  if (typeof value === 'boolean') return [...ANYTHING, 'true', !value];
  if (typeof value !== 'string') return [...ANYTHING, ...NUMBERS, ...WORDS, ...DAYS, ...MOMENTS];
  if (UUID.test(value)) return [...ANYTHING, ...Object.values(ids), value.toUpperCase(), WORDS[0]];
  if (/^\d{4}-\d\d-\d\d/.test(value)) return [...ANYTHING, ...MOMENTS, ...DAYS];
  return [...ANYTHING, ...NUMBERS, ...WORDS, ...DAYS, ids['users']];
}

/** Values for a path. */
export const SEGMENTS = ['%00', '%2e%2e', '%2F', '%E2%80%8B', 'x'.repeat(300), 'null', '%F0%9D%94%B8', '__proto__'];

/** Values for a query. */
export const PARAMETERS = [
  '',
  '%00',
  '-1',
  '0',
  '1e9',
  '999999999',
  '%25%5F%5C',
  '%F0%9D%94%B8',
  'x'.repeat(200),
  ...DAYS,
  ...MOMENTS.map(encodeURIComponent),
];
