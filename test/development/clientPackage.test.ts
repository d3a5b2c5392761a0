/** The package of the TypeScript client as its users get it: installed from its tarball in an empty folder. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { run } from '../../development/clients/tools.js';
import { COMPILERS, installPackage } from '../../development/clients/typescript.js';
import { aBrowser, givePassword } from '../api/identity/accounts.support.js';
import { launchChromium } from '../browser/chromium.js';
import { apiWorld } from '../support/apiWorld.js';

const { api, world } = apiWorld();
const folder = mkdtempSync(path.join(os.tmpdir(), 'client-package-'));
let browser: Browser | undefined;

beforeAll(() => {
  // The tests' own build leaves the types out.
  run(process.execPath, ['bin/build.mjs']);
  installPackage(folder);
});
afterAll(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(Object.entries(COMPILERS))(
  'TypeScript %s accepts its users, and refuses unknown codes',
  (_version, compiler) => {
    expect(run(process.execPath, [compiler, '-p', folder])).toBe('');
  },
);

test('the package runs in Node', () => {
  const program = `
    import { createClient } from 'chapter-membership-client';
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', session: { load: () => null, save() {} } });
    console.log(JSON.stringify(await client.GET('/api/auth/me/')));`;
  const result = run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
  expect(JSON.parse(result)).toMatchObject({ kind: 'refused', code: 'no_answer' });
});

test('bundled for a browser, two tabs with an expired session refresh it once', async () => {
  const bundle = path.join(folder, 'bundle.js');
  const rolldown = path.resolve('node_modules/rolldown/bin/cli.mjs');
  run(process.execPath, [rolldown, 'tab.ts', '--file', bundle, '--format', 'iife', '--platform', 'browser'], {
    cwd: folder,
  });
  await givePassword(world.admin.userId);
  const signedIn = await aBrowser(api.url, world.admin.email);
  browser = await launchChromium();
  const context = await browser.newContext();
  const cookie = { url: api.url, httpOnly: true };
  await context.addCookies([
    { ...cookie, name: 'access_token', value: 'expired' },
    { ...cookie, name: 'refresh_token', value: signedIn.cookie('refresh_token') as string },
  ]);
  const refreshes: string[] = [];
  context.on('request', (request) => request.url().endsWith('/token/refresh/') && refreshes.push(request.url()));
  const html = `<title>Tab</title><script>${readFileSync(bundle, 'utf8')}</script>`;
  await context.route(`${api.url}/tab`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  const tabs = await Promise.all([context.newPage(), context.newPage()]);
  await Promise.all(tabs.map((tab) => tab.goto(`${api.url}/tab`)));
  const people = await Promise.all(tabs.map((tab) => tab.evaluate('me()')));
  expect([people, refreshes.length]).toEqual([[world.admin.email, world.admin.email], 1]);
});
