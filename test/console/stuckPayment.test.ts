/** An admin finds a stuck payment and fixes it, by keyboard alone. */
import type { Page } from 'playwright-core';
import { aPlatform, aProcessor } from '../support/platform.js';
import { aWorld, type World } from '../support/world.js';
import { addAuthenticator, aConsoleBrowser, signIn } from './browser.support.js';
import { aStuckPayment } from './stuckPayment.support.js';

const MAX_KEYS = 12;
const MAX_SECONDS = 60;

const platform = aPlatform();
const browser = aConsoleBrowser(platform);
let world: World;
let page: Page;
let presses: number;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  await aProcessor(world);
  page = await browser.open();
  await addAuthenticator(page);
  presses = 0;
});

async function press(key: string): Promise<void> {
  presses += 1;
  await page.keyboard.press(key);
}

const focused = (): Promise<string> =>
  page.evaluate('document.activeElement.textContent || document.activeElement.getAttribute("aria-label") || ""');

/** Waits until the text is on the page. */
const shows = (text: string | RegExp, seconds = 15) =>
  page
    .getByText(text)
    .first()
    .waitFor({ timeout: seconds * 1000 });

/** Sets up a passkey with the card of the start page, and signs out. */
async function setUpPasskey(): Promise<void> {
  await signIn(page, world.admin);
  await page.goto('/console');
  await page.getByRole('button', { name: 'Set up a passkey' }).click();
  await page.getByRole('button', { name: 'Set up a passkey' }).waitFor({ state: 'detached' });
  expect((await page.request.post('/api/auth/logout/', { data: {} })).status()).toBe(204);
}

/** Presses Tab until the text has the focus. */
async function tabTo(text: RegExp, atMost: number): Promise<void> {
  for (let n = 0; n < atMost; n += 1) {
    await press('Tab');
    if (text.test(await focused())) return;
  }
  throw new Error(`After ${atMost} stops, the focus is on: ${await focused()}`);
}

test('a stuck payment is found, retried in vain with at most 12 keys, and seen to settle', async () => {
  await setUpPasskey();
  const { paying } = await aStuckPayment(platform, world);
  await page.goto('/console');
  await shows('Sign in with a passkey');
  const started = Date.now();
  await expect(focused()).resolves.toContain('Sign in with a passkey');
  await press('Enter');
  await shows('Stuck processes');
  await page.locator('a[href*="/console/processes/"]').first().waitFor();
  await tabTo(/Remittance|remittance/, 1);
  await press('Enter');
  await shows('What you can do');
  await shows('Money may have moved');
  await tabTo(/^Retry$/, 1);
  await press('Enter');
  await shows('One line.');
  await page.keyboard.type('The bank says that it is reachable again');
  await press('Enter');
  await shows('The retry failed.');
  expect(presses).toBeLessThanOrEqual(MAX_KEYS);
  expect((Date.now() - started) / 1000).toBeLessThan(MAX_SECONDS);

  // After a retry the next attempt is near, so the payment settles by itself.
  await platform.clearFaults();
  await shows('Money has moved', 60);
  await paying;
});

test('when the session ends, a dialog asks to sign in again, and the address and what was typed stay', async () => {
  await setUpPasskey();
  await signIn(page, world.admin);
  const { id, paying } = await aStuckPayment(platform, world);
  await page.goto(`/console/processes/${id}`);
  await page.getByRole('button', { name: 'Retry' }).press('Enter');
  await shows('One line.');
  await page.keyboard.type('Typed before the session ended');
  await page.context().clearCookies();
  await page.keyboard.press('Enter');
  await shows('Your session has ended.');
  await expect(focused()).resolves.toContain('Sign in with a passkey');
  await page.keyboard.press('Enter');
  await shows('The retry failed.');
  expect(new URL(page.url()).pathname).toBe(`/console/processes/${id}`);
  await platform.clearFaults();
  await paying;
});
