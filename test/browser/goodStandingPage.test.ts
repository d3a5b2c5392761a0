/** The page of a proof of good standing as an anonymous visitor sees it: by its address, on a phone, and on paper. */
import type { Browser, Page } from 'playwright-core';
import { config } from '../../config.js';
import { apiWorld } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { anInvoice } from '../support/world.js';
import { launchChromium } from './chromium.js';

const stage = apiWorld();
const EVIL = '<img src=x onerror="document.title=1">';
let browser: Browser;
let page: Page;
let complaints: string[];

beforeAll(async () => {
  Object.assign(config, { backendUrl: stage.api.url });
  browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  complaints = [];
  page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  page.on('console', (line) => line.type() === 'error' && complaints.push(line.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
});
afterEach(async () => {
  await page.close();
  expect(complaints).toEqual([]);
});

test('the page says who was in good standing, where, when and until when, and links to itself', async () => {
  const { member, chapterId } = stage.world;
  await anInvoice(stage.world, { chapterId, membershipId: member.membershipId, cents: 7_313 });
  const longest = `${EVIL} ${'Wolfeschlegelsteinhausen'.repeat(6)}`;
  // Names without digits, since the page must not show any amount.
  await asOwner("UPDATE users SET first_name = $2, last_name = 'Hawthorne' WHERE id = $1", [
    member.userId,
    longest.slice(0, 100),
  ]);
  await asOwner("UPDATE organizations SET name = 'Northern Star' WHERE id = $1", [stage.world.organizationId]);
  const { body } = await stage.member.post('/api/billing/me/good-standing/', { days: 30 });
  const opened = await page.goto(body.url);
  expect(opened?.headers()).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  await page.getByText('was in good standing on').first().waitFor();
  const text = await page.locator('main').innerText();
  const long = (day: string) =>
    new Date(`${day}T00:00:00Z`).toLocaleDateString('en', { dateStyle: 'long', timeZone: 'UTC' });
  for (const part of [EVIL, long(body.was_good_on), long(body.good_until), 'This page says nothing about later days'])
    expect(text).toContain(part);
  expect(text).not.toMatch(/73|cents/);
  expect(await page.title()).toBe('Good standing');
  expect(await page.locator('h1').count()).toBe(1);
  await page.getByRole('img', { name: 'QR code of this page' }).waitFor();
  expect(await page.locator('figcaption').innerText()).toContain(body.url);
  // Nothing is wider than a small phone.
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  const pages = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type \/Page\b/g);
  expect(pages).toHaveLength(1);

  await stage.member.delete(`/api/billing/me/good-standing/${body.id}/`);
  await page.reload();
  await page.getByText('This code is unknown, has expired, or was revoked.').waitFor();
  expect(await page.locator('#own-address').isVisible()).toBe(false);
});

test('an unknown code shows no QR code and no data', async () => {
  await page.goto(`${stage.api.url}/good-standing/${encodeURIComponent('"><b>x')}`);
  await page.getByText('This code is unknown').waitFor();
  expect(await page.locator('figure').count()).toBe(0);
});

test('a visitor who asks too often waits, and the page retries by itself', async () => {
  await page.route(
    '**/api/public/good-standing/**',
    (route) => route.fulfill({ status: 429, headers: { 'Retry-After': '1' } }),
    {
      times: 1,
    },
  );
  await page.goto(`${stage.api.url}/good-standing/${'x'.repeat(43)}`);
  await page.getByText('This code is unknown').waitFor();
  // The browser itself logs failed responses.
  expect(complaints.splice(0)).toHaveLength(1);
});
