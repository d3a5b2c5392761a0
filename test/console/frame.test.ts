/** Behaviour of all screens: the session in two tabs and after a step-up, the organization's colour, polling, and the size. */
import { gzipSync } from 'node:zlib';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { PASSWORD } from '../api/identity/accounts.support.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, eventually } from '../support/platform.js';
import { aWorld, type World } from '../support/world.js';
import { aConsoleBrowser, signIn } from './browser.support.js';
import { shows } from './keyboard.support.js';

/** Before the first screen, gzipped. */
const MAX_BYTES = 500_000;
const POLL_INTERVAL_MS = 10_000;

const platform = aPlatform();
const browser = aConsoleBrowser(platform);
let world: World;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
});

test('after a step-up, the action continues with what was typed', async () => {
  const page = await browser.open();
  await signIn(page, world.admin);
  await asOwner("UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1", [
    world.admin.userId,
  ]);
  await page.goto('/account/security');
  const address = `second-${Date.now()}@example.org`;
  await page.getByLabel('Another address').fill(address);
  await page.keyboard.press('Enter');
  await shows(page, 'Confirm that it is you');
  await page.getByRole('dialog').getByLabel('Password').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByText(address, { exact: true }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
});

test('two tabs whose access has expired refresh the session once, and both continue', async () => {
  const first = await browser.open();
  await signIn(first, world.admin);
  const context = first.context();
  const tabs = [first, await context.newPage()];
  for (const tab of tabs) {
    await tab.goto('/console/processes');
    await shows(tab, 'Money moved');
  }
  const answers = (status: number) =>
    Promise.all(tabs.map((tab) => tab.waitForResponse((answer) => answer.status() === status)));
  let refused: Promise<unknown>;
  let refreshes = 0;
  await context.route('**/api/auth/token/refresh/', async (route) => {
    refreshes += 1;
    await refused;
    await route.continue();
  });
  // The storage of the tabs differs for some milliseconds after a refresh, but not each time.
  for (let round = 1; round <= 6; round += 1) {
    await context.clearCookies({ name: 'access_token' });
    refused = answers(401);
    await Promise.all(tabs.map((tab) => tab.getByRole('button', { name: 'Reload' }).press('Enter')));
    await refused;
    await answers(200);
    expect(refreshes).toBe(round);
  }
});

test('a visible page polls at most two addresses, and a hidden one none', async () => {
  const page = await browser.open();
  await signIn(page, world.admin);
  await page.clock.install();
  await page.goto('/console');
  await shows(page, 'No process is stuck');
  await shows(page, 'Money cases');
  let requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  /** Lets half a minute pass. @returns the addresses that the page has requested */
  const wait = async (): Promise<string[]> => {
    requests = [];
    for (let n = 0; n < 3; n += 1) {
      await page.clock.runFor(POLL_INTERVAL_MS);
      await setTimeout(500);
    }
    return [...new Set(requests)].toSorted();
  };
  const show = (state: string) =>
    page.evaluate(`Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))`);
  const polled = ['/api/console/summary/', '/api/processes/'];
  await expect(wait()).resolves.toEqual(polled);
  await show('hidden');
  await expect(wait()).resolves.toEqual([]);
  await show('visible');
  await expect(wait()).resolves.toEqual(polled);
});

test("the organization's colour is on the header and the primary buttons, in the mode in which it is readable", async () => {
  await asOwner("UPDATE organizations SET primary_color = '#7a1f3d' WHERE id = $1", [world.organizationId]);
  const isColored = async (page: Page): Promise<boolean[]> =>
    page.evaluate(`["#header", "main"].map((part) => [...document.querySelectorAll(part + " *")]
      .some((element) => getComputedStyle(element).backgroundColor === "rgb(122, 31, 61)"))`);
  const open = async (colorScheme: 'light' | 'dark'): Promise<Page> => {
    const page = await browser.open({ colorScheme });
    await signIn(page, world.admin);
    await page.goto('/console/dues-runs');
    await shows(page, 'New run');
    return page;
  };
  const [light, dark] = [await open('light'), await open('dark')];
  await eventually(
    () => isColored(light),
    (parts) => parts.every(Boolean),
  );
  await expect(isColored(dark)).resolves.toEqual([false, false]);
});

test('the identity provider of an address is offered once the address is typed', async () => {
  const provider = {
    provider: 'workspace',
    name: 'Alpha University',
    slug: `alpha-${Date.now()}`,
    client_id: 'client',
    client_secret: 'a-secret-that-nobody-sees',
    allowed_domains: ['alpha.edu'],
  };
  const address = `/api/organizations/${world.organizationId}/oauth-configurations/`;
  expect((await platform.client(world.admin).post(address, provider)).status).toBe(201);
  const page = await browser.open();
  await page.goto('/console');
  await page.getByLabel('E-mail address').fill('sam@alpha.edu');
  const button = page.getByRole('link', { name: /^Continue with Alpha University/ });
  await button.waitFor();
  expect(await button.getAttribute('href')).toContain(`/api/auth/sso/oauth/${provider.slug}/login/`);
});

test('the files before the first screen are below 500 kB gzipped', async () => {
  const page = await browser.open();
  await signIn(page, world.admin);
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/api/')) sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await page.goto('/console');
  await shows(page, 'No process is stuck');
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThan(MAX_BYTES);
});
