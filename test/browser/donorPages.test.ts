/** A donor looks after their gifts in headless Chromium on a small phone, without scripts. */
import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { config } from '../../config.js';
import { aMailbox } from '../support/accountMail.js';
import { apiWorld } from '../support/apiWorld.js';
import { documentText } from '../support/documentText.js';
import { linksTo, portalPath } from '../support/donorPages.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aGift, type Gift } from '../support/gifts.js';
import { asOwner } from '../support/owner.js';
import { launchChromium } from './chromium.js';
import { expectUsable, LOWEST_CONTRAST } from './usable.js';

const { api, world } = apiWorld();
const mailbox = aMailbox();
let browser: Browser;
let foundation: Foundation;
let gift: Gift;
let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  Object.assign(config, { backendUrl: api.url });
  foundation = await aFoundation(world);
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  complaints = [];
  gift = await aGift(world.organizationId, foundation, { at: '2026-03-04T12:00:00Z' });
  context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 568 },
    baseURL: api.url,
  });
  page = await context.newPage();
  page.on('console', (line) => /Content Security Policy/.test(line.text()) && complaints.push(line.text()));
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const button = (name: string): Locator => page.getByRole('button', { name });
const sessions = () => asOwner('SELECT id FROM donor_sessions WHERE donor_id = $1', [gift.donorId]);

test('a donor without scripts signs in by mail, gets a receipt, changes the name, and signs out', async () => {
  await page.goto(portalPath(foundation));
  await heading('Your gifts');
  await expectUsable(page);
  await page.getByLabel('E-mail address').fill('nobody');
  await button('Mail me a link').click();
  await page.getByRole('alert').getByText('Some fields need your attention.').waitFor();
  await expectUsable(page);
  expect(await page.getByLabel('E-mail address').getAttribute('aria-describedby')).toBe('email-hint email-error');
  await page.getByLabel('E-mail address').fill(gift.email);
  await button('Mail me a link').click();
  await heading('Check your mail');

  const [link] = (await linksTo(mailbox, gift.email)) as [string];
  await page.goto(link);
  await heading('Sign in to your gifts');
  await expectUsable(page);
  await button('Sign in').click();
  await heading('Your gifts');
  await page.waitForURL(api.url + portalPath(foundation));
  await page.getByText('Welcome, Dana Reyes.').waitFor();
  await page.getByText('for Spring appeal, March 4, 2026.').waitFor();
  await expectUsable(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(LOWEST_CONTRAST)).toBeGreaterThanOrEqual(4.5);
  }
  expect((await context.cookies()).filter(({ name }) => name === 'donor_session')).toEqual([
    expect.objectContaining({ httpOnly: true, sameSite: 'Strict', path: '/giving' }),
  ]);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Receipt 2026-\d{6} \(PDF\)$/ }).click(),
  ]);
  expect(await documentText(readFileSync(await download.path()))).toContain('Dana Reyes');

  await page.getByLabel('First name').fill('');
  await button('Save').click();
  await page.getByRole('alert').getByText('Some fields need your attention.').waitFor();
  await expectUsable(page);
  await page.getByLabel('First name').fill('Grace');
  await page.getByLabel('Show my future gifts as Anonymous').check();
  await button('Save').click();
  await page.waitForURL(api.url + portalPath(foundation));
  await page.getByText('Welcome, Grace Reyes.').waitFor();
  expect(await page.getByLabel('Show my future gifts as Anonymous').isChecked()).toBe(true);

  await button('Sign out').click();
  await button('Mail me a link').waitFor();
  expect([await sessions(), (await context.cookies()).filter(({ name }) => name === 'donor_session')]).toEqual([
    [],
    [],
  ]);
  await page.goto(link);
  await page.getByRole('alert').getByText('This link was used before, or is older than 15 minutes.').waitFor();
  await button('Mail me a link').waitFor();
});

test('a page of another site can neither use the session of a donor nor see the gifts', async () => {
  await asOwner('DELETE FROM throttles');
  await page.goto(portalPath(foundation));
  await page.getByLabel('E-mail address').fill(gift.email);
  await button('Mail me a link').click();
  await heading('Check your mail');
  await page.goto((await linksTo(mailbox, gift.email)).at(-1) as string);
  await button('Sign in').click();
  await page.getByText('Welcome, Dana Reyes.').waitFor();
  const own = api.url + portalPath(foundation);
  await page.route('http://evil.example/', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${own}sign-out/"><button>Win</button></form><a href="${own}">Gifts</a>`,
    }),
  );
  await page.goto('http://evil.example/');
  await button('Win').click();
  await heading('That did not work');
  expect(await sessions()).toHaveLength(1);
  await page.goto('http://evil.example/');
  // The browser sends no cookie with a navigation that another site causes.
  await page.getByRole('link', { name: 'Gifts' }).click();
  await button('Mail me a link').waitFor();
  await page.goto(own);
  await page.getByText('Welcome, Dana Reyes.').waitFor();
});
