/** The unsubscribe link of a bulletin, in a browser on a phone, and as mail programs call it (RFC 8058). */
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { config } from '../../config.js';
import { bulletinUnsubscribeUrl } from '../../models/foundation/bulletins/unsubscribe.js';
import { apiWorld } from '../support/apiWorld.js';
import { aFoundation, type Foundation, insertRow } from '../support/foundation.js';
import { asOwner } from '../support/owner.js';
import { launchChromium } from './chromium.js';

const stage = apiWorld();
const EVIL = '<img src=x onerror="document.title=1">';
let browser: Browser;
let page: Page;
let foundation: Foundation;

beforeAll(async () => {
  Object.assign(config, { backendUrl: stage.api.url });
  browser = await launchChromium();
  foundation = await aFoundation(stage.world, { legal_name: `${EVIL} ${'Wolfeschlegelsteinhausen'.repeat(6)}` });
});
afterAll(() => browser?.close());
beforeEach(async () => {
  const context = await browser.newContext({ viewport: { width: 320, height: 640 }, javaScriptEnabled: false });
  page = await context.newPage();
});
afterEach(() => page.context().close());

/** A recipient of a bulletin. @returns the address and the link in the mail */
async function aRecipient() {
  const { organizationId, member } = stage.world;
  const email = `${randomUUID()}@example.org`;
  const bulletin = await stage.as(foundation.admin).post('/api/foundation/bulletins/', {
    subject: 'News',
    body_text: 'Thank you',
    audience: 'organization_members',
  });
  const recipientId = await insertRow('foundation_bulletin_recipients', {
    organization_id: organizationId,
    bulletin_id: bulletin.body.id,
    email,
    user_id: member.userId,
  });
  return { email, recipientId, url: bulletinUnsubscribeUrl({ organizationId, recipientId }) };
}

const hasUnsubscribed = async (email: string) =>
  (await asOwner('SELECT id FROM foundation_bulletin_optouts WHERE email = $1', [email])).length > 0;
const post = (url: string, body: string) =>
  fetch(url, { method: 'POST', body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } });

test('a person opens the link, is asked, and unsubscribes with one button', async () => {
  const { email, url } = await aRecipient();
  const opened = await page.goto(url);
  expect(opened?.headers()).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  const asked = await page.locator('main').innerText();
  expect(asked).toContain(EVIL);
  expect(asked).not.toContain(email);
  expect(await page.locator('img').count()).toBe(0);
  // Nothing is wider than a small phone.
  expect((await page.locator('main').boundingBox())?.width).toBeLessThanOrEqual(320);
  expect(await hasUnsubscribed(email)).toBe(false);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'Unsubscribed' }).waitFor();
  expect(await hasUnsubscribed(email)).toBe(true);
});

test('a mail program unsubscribes with one POST, which may be repeated', async () => {
  const { email, url } = await aRecipient();
  const { email: other } = await aRecipient();
  for (const body of ['', 'List-Unsubscribe=No', 'x=1']) expect((await post(url, body)).status).toBe(400);
  expect(await hasUnsubscribed(email)).toBe(false);
  const answers = await Promise.all([1, 2, 3].map(() => post(url, 'List-Unsubscribe=One-Click')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect([await hasUnsubscribed(email), await hasUnsubscribed(other)]).toEqual([true, false]);
});

test('a changed link and an unknown organization are refused, and the link of an erased recipient still answers', async () => {
  const { recipientId, url } = await aRecipient();
  const { recipientId: another } = await aRecipient();
  const nowhere = bulletinUnsubscribeUrl({ organizationId: randomUUID(), recipientId });
  for (const wrong of [url.replace(recipientId, another), `${url.slice(0, -1)}A/`, `${url.slice(0, -1)}.x/`, nowhere]) {
    expect((await fetch(wrong)).status).toBe(404);
    expect((await post(wrong, 'List-Unsubscribe=One-Click')).status).toBe(404);
  }
  await asOwner('DELETE FROM foundation_bulletin_recipients WHERE id = $1', [recipientId]);
  expect((await fetch(url)).status).toBe(200);
  expect((await post(url, 'List-Unsubscribe=One-Click')).status).toBe(200);
});
