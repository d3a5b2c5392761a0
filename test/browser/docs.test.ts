/** The API docs page in a browser. */
import type { Browser, Locator, Page } from 'playwright-core';
import { config, DEMO_LOGIN } from '../../config.js';
import { hashPassword } from '../../models/identity/password/passwordHash.js';
import { anApi } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aMember, aWorld } from '../support/world.js';
import { launchChromium } from './chromium.js';

const VIEWPORT = { width: 1280, height: 800 };

let browser: Browser;
let page: Page;

const api = anApi();
beforeAll(async () => {
  // The page sends its trial requests to this address.
  Object.assign(config, { backendUrl: api.url });
  browser = await launchChromium();
  // The tests share the page, because it takes seconds to render.
  page = await browser.newPage({ viewport: VIEWPORT });
  await page.goto(`${api.url}/api/docs/`);
  await page.locator('.opblock').first().waitFor();
});
afterAll(async () => {
  await browser?.close();
});

test('the page opens on operations, and the first is visible without scrolling', async () => {
  const { y = Infinity, height = 0 } = (await page.locator('.opblock').first().boundingBox()) ?? {};
  expect(y + height).toBeLessThan(VIEWPORT.height);
  expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(5);
  expect(await page.locator('.opblock-body').count()).toBe(0);
});

test('the example of logging in works with the demo data unchanged', async () => {
  const world = await aWorld();
  const { userId } = await aMember(world.organizationId, world.chapterId, 'officer');
  await asOwner('UPDATE users SET email = $2, password_hash = $3 WHERE id = $1', [
    userId,
    DEMO_LOGIN.email,
    await hashPassword(DEMO_LOGIN.password),
  ]);
  const logIn = page.locator('.opblock', { hasText: '/api/auth/login/' });
  await logIn.locator('.opblock-summary-control').click();
  await logIn.locator('.try-out__btn').click();
  const answered = page.waitForResponse((response) => response.url().endsWith('/api/auth/login/'));
  await logIn.locator('.execute').click();
  expect((await answered).status()).toBe(200);
});

/** Scrolls until an element is rendered: a long list renders only the operations near the window. */
async function scrollTo(element: Locator): Promise<void> {
  for (let top = 0; (await element.count()) === 0; ) {
    const height = await page.evaluate(async (y) => {
      window.scrollTo(0, y);
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      return document.documentElement.scrollHeight;
    }, top);
    top = top < height ? top + 400 : 0;
  }
}

test('operations are rendered only when they are opened, with their errors', async () => {
  // Only the operation of the test before is open.
  expect(await page.locator('.opblock-body').count()).toBe(1);
  await page.locator('.opblock-tag[data-tag="finances"]').click();
  const pay = page.locator('.opblock-post:has([data-path="/api/billing/remittances/{id}/pay/"])');
  await scrollTo(pay);
  await pay.locator('.opblock-summary-control').click();
  const refusals = pay.locator('tr.response');
  await refusals.filter({ hasText: 'not_authenticated' }).first().waitFor();
  await refusals.filter({ hasText: 'Retry-After' }).first().waitFor();
  expect(await pay.locator('.responses-wrapper').innerText()).not.toContain('$ref');
  await page.locator('.errors-wrapper').waitFor({ state: 'detached' });
});

test('the table of errors is one click away', async () => {
  const opened = page.waitForEvent('popup');
  await page.locator('a[href="/api/docs/errors/"]').click();
  await (await opened).locator('td', { hasText: 'remittance_already_settled' }).first().waitFor();
});
