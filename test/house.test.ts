/**
 * Names that tell where a thing is (docs/developing/house.md).
 * @jest-environment node
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '..');
const ROOMS = ['api', 'models', 'workflows', 'activities', 'gateways', 'bin', 'development', 'test'];

/** Named as they are typed, or numbered. */
const TYPED = [
  /^bin\/[^/]+$/,
  /^development\/[^/]+$/,
  /^development\/chaos\/plants\//,
  /^models\/database\/schema\/[a-z-]+\/\d{4}-/,
];

const everyFile: string[] = ROOMS.flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/node_modules/.test(entry.parentPath))
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name))),
);

test('folders are words with hyphens, as in addresses', () => {
  const folders = new Set(everyFile.map((file) => path.dirname(file)));
  expect([...folders].filter((folder) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*$/.test(folder))).toEqual([]);
});

test('files are written as what they export: an operation in camelCase, a row in PascalCase', () => {
  const code = everyFile.filter((file) => /\.(ts|mjs|cjs)$/.test(file) && !TYPED.some((typed) => typed.test(file)));
  const named = /^[A-Za-z][A-Za-z0-9]*(\.property)?(\.(test|support|child))?\.(ts|mjs|cjs)$/;
  expect(code.filter((file) => !named.test(path.basename(file)))).toEqual([]);
});
