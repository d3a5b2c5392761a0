/**
 * Names that tell where a thing is (docs/developing/house.md).
 * @jest-environment node
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const ROOMS = ['api', 'models', 'workflows', 'activities', 'gateways', 'bin', 'development', 'test'];

/** Named as they are typed, or numbered. */
const TYPED = [/^bin\/[^/]+$/, /^development\/[^/]+$/, /^development\/chaos\/plants\//, /\/[0-9]{4}-[a-z-]+[.]ts$/];

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

test('every area has its place above or beside others', () => {
  const { forbidden } = createRequire(__filename)('../../.dependency-cruiser.cjs') as {
    forbidden: { name: string; from: { path?: string } }[];
  };
  const placed = forbidden.filter(({ name }) => name.includes('-is-above-')).map(({ from }) => from.path as string);
  const areas = everyFile.flatMap((file) => /^(api|models|activities)\/[^/]+\//.exec(file)?.[0] ?? []);
  const placeless = [...new Set(areas)].filter((area) => !placed.some((path) => new RegExp(path).test(area)));
  // What the areas of the API share: no area.
  expect(placeless).toEqual(['api/http/']);
});
