/**
 * The page of a request lists every transaction that is one message to Postgres. `WRITE_DOCS=1 npm test --
 * test/docs/singleMessages` writes the list of routes.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { allRoutes } from '../../api/routes.js';
import { codeOf, read } from './pages.js';

const PAGE = 'docs/developing/request.md';
/** The list of routes names them, so their common module is not in the list of files. */
const SPECULATIVE_READ = 'api/http/speculativeRead.ts';

const LIST = /(?<=<!-- single-message reads -->\n)[^]*?(?=<!-- \/single-message reads -->)/;

test('the page lists every route with a single-message read', () => {
  const reads = allRoutes
    .filter(({ spec }) => spec.singleMessageRead)
    .map(({ path: address, spec }) => `| \`${address.replaceAll(/:(\w+)/g, '{$1}')}\` | ${spec.summary} |\n`);
  const page = read(PAGE);
  const written = page.replace(LIST, () => ['| Route | Summary |\n| --- | --- |\n', ...reads.sort()].join(''));
  if (process.env['WRITE_DOCS']) writeFileSync(PAGE, written);
  else expect(page).toBe(written);
});

test('the page lists every other file that runs a transaction in one message', () => {
  const users = ['api', 'models', 'activities', 'services', 'workflows', 'gateways', 'bin']
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
    )
    .filter(
      (file) => file.endsWith('.ts') && /from '[^']*\/pipelinedTransaction\.js'/.test(readFileSync(file, 'utf8')),
    );
  const table = /Other transactions in one message:\n\n([^]*?)\n\n/.exec(read(PAGE))?.[1] ?? '';
  expect([SPECULATIVE_READ, ...codeOf(table)].sort()).toEqual(users.sort());
});
