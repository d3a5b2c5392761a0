/**
 * The page of environment variables agrees with `config.ts` and the stack.
 * @jest-environment node
 */
import { readFileSync } from 'node:fs';
import { DEVELOPMENT_SECRETS, parseEnvironment } from '../../config.js';
import { PORTS } from '../../development/stack/settings.js';

const page = readFileSync('docs/operating/configuration.md', 'utf8');
/** Variable and default of each row of the tables. */
const rows = new Map([...page.matchAll(/^\| `([A-Z_]+)` \| (.+?) \| .*\|$/gm)].map(([, name, given]) => [name, given]));
const names = [...readFileSync('config.ts', 'utf8').matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(
  ([, name]) => name as string,
);
const defaults: Record<string, unknown> = parseEnvironment({});

test('every variable has a row, and every row is a variable', () => {
  expect(names.length).toBeGreaterThan(50);
  expect(new Set(rows.keys())).toEqual(new Set(names));
});

test.each(names)('the documented default of %s is the real one', (name) => {
  const cell = rows.get(name) as string;
  const text = asWritten(defaults[name]);
  const isSecret = Object.values(DEVELOPMENT_SECRETS).some((secret) => text.includes(secret));
  if (isSecret) expect(cell).toBe('a development key');
  else if (/:\/\/.*127\.0\.0\.1|^127\.0\.0\.1:/.test(text)) expect(cell).toBe('embedded');
  else if (text) expect(cell).toBe(`\`${text}\``);
  // A default that is computed is described in words, or follows from other variables.
  else expect(cell).toMatch(/^none(:|$)|^as |^a quarter |^the table in |^made at |`.*<PORT>`|in production|`, `/);
});

test('the documented ports of npm start are the real ones', () => {
  const [, section] = page.split('## Ports of `npm start`\n') as [string, string];
  const documentedPorts = [...(section.split('\n## ')[0] as string).matchAll(/`([A-Z_]+)` \((\d+)\)/g)];
  const others = Object.values(PORTS).filter(({ variable }) => variable !== 'PORT');
  expect(Object.fromEntries(documentedPorts.map(([, variable, usual]) => [variable, Number(usual)]))).toEqual(
    Object.fromEntries(others.map(({ variable, usual }) => [variable, usual])),
  );
});

/** A value as in the environment; '' where there is none. */
function asWritten(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(asWritten).join(',');
  const isNothing = value === undefined || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return isNothing ? '' : JSON.stringify(value);
}
