/**
 * Names say where a thing is (docs/developing/house.md).
 * @jest-environment node
 */
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const ROOMS = ['api', 'models', 'workflows', 'activities', 'services', 'gateways', 'bin', 'development', 'test'];

/** Files whose names are typed by people, or numbered. */
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

test('files are named after their exports: operations in camelCase, rows in PascalCase', () => {
  const code = everyFile.filter((file) => /\.(ts|mjs|cjs)$/.test(file) && !TYPED.some((typed) => typed.test(file)));
  const named = /^[A-Za-z][A-Za-z0-9]*(\.property)?(\.(test|support|child))?\.(ts|mjs|cjs)$/;
  expect(code.filter((file) => !named.test(path.basename(file)))).toEqual([]);
});

test('every area is above or beside other areas', () => {
  const { forbidden } = createRequire(__filename)('../../.dependency-cruiser.cjs') as {
    forbidden: { name: string; from: { path?: string } }[];
  };
  const placed = forbidden.filter(({ name }) => name.includes('-is-above-')).map(({ from }) => from.path as string);
  const areas = everyFile.flatMap((file) => /^(api|models|activities|services)\/[^/]+\//.exec(file)?.[0] ?? []);
  const placeless = [...new Set(areas)].filter((area) => !placed.some((path) => new RegExp(path).test(area)));
  // Modules that the areas of the API share belong to no area.
  expect(placeless).toEqual(['api/http/']);
});

const camel = (words: string): string => words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
/** `api/finances/dues-rates` as `['finances', 'dues-rates']`; shared modules are left out. */
const resources = everyFile.flatMap((file) => {
  const [, area, resource] = /^api\/([^/]+)\/([^/]+)\/\w*[rR]outes[.]ts$/.exec(file) ?? [];
  return area && resource && area !== 'http' ? [[area, resource] as const] : [];
});

/** Resources whose tests have other names, each with their location. */
const TESTED_ELSEWHERE: Record<string, string> = {
  'finances/invoice-payments': 'test/scenarios/hostedPages.test.ts',
  'forums/me': 'test/api/forums/mentionSearch.test.ts',
  'foundation/unsubscribe': 'test/browser/bulletinUnsubscribe.test.ts',
  'identity/me': 'test/api/identity/sessions.test.ts',
  'intake/crossings': 'test/api/intake/pnm.test.ts',
  'intake/pnm-config': 'test/api/intake/pnmApplications.test.ts',
  'intake/public': 'test/api/intake/pnmApplications.test.ts',
  'notifications/digests': 'test/scenarios/notificationDigests.test.ts',
  'organizations/admin-search': 'test/api/organizations/admins.test.ts',
  'organizations/consent-templates': 'test/api/organizations/consents.test.ts',
  'organizations/onboarding': 'test/api/organizations/profile.test.ts',
  'organizations/planned-terms': 'test/api/organizations/handOverRequests.test.ts',
  'platform/admins': 'test/api/platform/platform.test.ts',
  'platform/organizations': 'test/api/platform/platform.test.ts',
  'platform/storage-config': 'test/api/organizations/storageConfig.test.ts',
  'platform/user-search': 'test/api/platform/platform.test.ts',
  'platform/users': 'test/api/platform/platform.test.ts',
};

test('the tests of a resource begin with the name of its folder', () => {
  const tests = everyFile.filter((file) => file.startsWith('test/'));
  const untested = resources.filter(([area, resource]) => {
    const word = camel(resource);
    const named = new RegExp(`^test/(api/${area}|scenarios)/(${word}(?![a-z])|${resource}/)`);
    return !tests.some((file) => named.test(file));
  });
  expect(untested.map((names) => names.join('/'))).toEqual(Object.keys(TESTED_ELSEWHERE));
  expect(tests).toEqual(expect.arrayContaining(Object.values(TESTED_ELSEWHERE)));
});

test('a test of an area with resources begins with the name of one, or of the area', () => {
  const strange = everyFile.filter((file) => {
    const [, area, name = ''] = /^test\/api\/([^/]+)\/(\w+)[.]test[.]ts$/.exec(file) ?? [];
    const words = resources.flatMap(([of, resource]) => (of === area ? [camel(resource)] : []));
    return area && words.length > 0 && ![area, ...words].some((word) => name.startsWith(word));
  });
  expect(strange).toEqual([]);
});

test('the rows or operations of a resource use its name', () => {
  const models = everyFile.filter((file) => /^models\/(?!database)/.test(file)).map((file) => file.toLowerCase());
  const words = (resource: string) => resource.split('-').map((word) => word.replace(/s$/, ''));
  const strange = resources.filter(
    ([, resource]) => !models.some((file) => words(resource).every((word) => file.includes(word))),
  );
  // The row of a page at the gateway is an attempt; those of the served pages of giving are donations.
  expect(strange.map((names) => names.join('/'))).toEqual([
    'finances/invoice-payments',
    'foundation/donate',
    'foundation/donation-success',
  ]);
});
