/**
 * What a page points to is there: pages, headings, commands, files.
 * @jest-environment node
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { anchorsOf, codeOf, PAGES, prose, read } from './pages.js';

const { scripts } = require('../../package.json') as { scripts: Record<string, string> };
const FOLDERS = [
  'api',
  'models',
  'workflows',
  'activities',
  'gateways',
  'bin',
  'development',
  'docker',
  'docs',
  'test',
];
const files = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
);
const names = new Set([...readdirSync('.'), ...files.map((file) => path.basename(file))]);

/** Files that are made: by the build, by `npm start` and other commands, and what browsers ask for. */
const MADE = [
  'docker/secrets',
  'demo.json',
  'seed-large.json',
  'saml-identity-provider.json',
  'assetlinks.json',
  'workflow-bundle.js',
  'workflow-bundle.traced.js',
];

test.each(PAGES)('links of %s lead somewhere', (page) => {
  const broken = [...prose(read(page)).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link as string)
    .filter((link) => !/^(https?|mailto):/.test(link))
    .filter((link) => {
      const [file, anchor] = link.split('#') as [string, string | undefined];
      const target = file ? path.join(path.dirname(page), file) : page;
      if (!existsSync(target)) return true;
      return anchor !== undefined && !(target.endsWith('.md') && anchorsOf(read(target)).has(anchor));
    });
  expect(broken).toEqual([]);
});

test.each(PAGES)('commands of %s exist', (page) => {
  const asked = codeOf(read(page)).flatMap((code) => [
    ...code.matchAll(/\bnpm (?:run (?:--silent |-s )?([\w:-]+)|(start|test)\b)/g),
  ]);
  expect(asked.map(([, run, short]) => (run ?? short) as string).filter((name) => !(name in scripts))).toEqual([]);
});

/** The page of renames names what was. */
const CURRENT_PAGES = PAGES.filter((page) => page !== 'docs/developing/renames.md');

test.each(CURRENT_PAGES)('files that %s names exist', (page) => {
  const missing = codeOf(read(page)).flatMap((code) => [...pathsIn(code), ...namesIn(code)]);
  expect(missing).toEqual([]);
});

/** Paths from the root that no file or folder begins with; `<area>` and `*` stand for anything. */
function pathsIn(code: string): string[] {
  const paths = [...code.matchAll(new RegExp(`(?<![\\w./{}<>-])(?:${FOLDERS.join('|')})/[\\w./<>*-]*`, 'g'))].map(
    ([found]) => found,
  );
  return paths.filter((found) => {
    const pattern = found.replaceAll(/[.]/g, '\\.').replaceAll(/<[\w-]+>|\*/g, '[^/]+');
    const begins = new RegExp(`^${pattern}`);
    return !MADE.includes(found) && !files.some((file) => begins.test(file));
  });
}

/** Names of source files that no file has. */
function namesIn(code: string): string[] {
  const found = /^[\w.-]+\.(ts|cjs|mjs|sh|ya?ml|json|sql)$/.exec(code)?.[0];
  return found && !names.has(found) && !MADE.includes(found) ? [found] : [];
}

test('every page of docs/ is in the index', () => {
  const index = read('docs/README.md') + read('docs/decisions/README.md').replaceAll('](', '](decisions/');
  const pages = PAGES.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(pages.filter((page) => !index.includes(`](${page.slice('docs/'.length)})`))).toEqual([]);
});
