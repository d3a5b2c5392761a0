/** A flagged remittance is resolved from its proposal, by keyboard alone. */
import type { Page } from 'playwright-core';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor } from '../support/platform.js';
import { anInvoice, aWorld, type World } from '../support/world.js';
import { aConsoleBrowser, signIn } from './browser.support.js';
import { aFlaggedRemittance } from './flaggedRemittance.support.js';
import { shows, tabTo } from './keyboard.support.js';

const platform = aPlatform();
const browser = aConsoleBrowser(platform);
let world: World;
let page: Page;

beforeEach(async () => {
  world = await aWorld({ members: 3 });
  await aProcessor(world);
  page = await browser.open();
});

/** Presses the button, types a reason and sends it. */
async function decide(button: RegExp): Promise<void> {
  await tabTo(page, button);
  await page.keyboard.press('Enter');
  await shows(page, 'One line.');
  await page.keyboard.type('The treasurer typed a wrong amount');
  await page.keyboard.press('Enter');
}

async function check(): Promise<void> {
  await tabTo(page, /^Checked:/);
  await page.keyboard.press('Space');
}

test('an admin refunds what remains, checks the line of another member, and decides again about a new proposal', async () => {
  const { chapterId, memberships } = world;
  const ofThird = (cents: number, dueIn: number) =>
    anInvoice(world, { chapterId, membershipId: memberships[2] as string, cents, dueIn });
  const id = await aFlaggedRemittance(platform, world, 24_000);
  await ofThird(2_000, 30);
  await signIn(page, world.admin);
  await page.goto('/console/remittances?status=needs_reconciliation');
  await shows(page, 'Alpha, 2 invoices');
  await tabTo(page, /^Alpha, 2 invoices/);
  await page.keyboard.press('Enter');
  await shows(page, 'The captured amount differs');
  await decide(/^Refund what remains/);
  await shows(page, 'The refund is requested.');
  await page.getByRole('button', { name: 'Refund what remains' }).waitFor({ state: 'detached', timeout: 30_000 });
  await check();
  await ofThird(1_500, 5);
  await decide(/^Resolve/);
  await shows(page, 'this is a new proposal');
  await shows(page, 'Earlier proposal');
  await check();
  await check();
  await decide(/^Resolve/);
  await shows(page, 'The money is allocated as proposed.');
  await shows(page, 'Settled');
  const { body } = await platform.client(world.admin).get(`/api/billing/remittances/${id}/`);
  expect(body).toMatchObject({ status: 'settled', total_cents: 22_000 });
});

test('an officer who sees no amounts resolves by the proposal, and no figure reaches the browser', async () => {
  const id = await aFlaggedRemittance(platform, world, 19_000);
  await asOwner('UPDATE org_dues_settings SET officers_see_amounts = false WHERE organization_id = $1', [
    world.organizationId,
  ]);
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/billing/')) bodies.push(response.text());
  });
  await signIn(page, world.officer);
  await page.goto('/console/remittances');
  await shows(page, 'Alpha, 2 invoices');
  await tabTo(page, /^Alpha, 2 invoices/);
  await page.keyboard.press('Enter');
  await shows(page, 'Less was captured');
  const figures = /\$|\d[.,]\d\d\b/;
  await expect(page.locator('body').innerText()).resolves.not.toMatch(figures);
  await decide(/^Resolve/);
  await shows(page, 'The money is allocated as proposed.');
  await expect(page.locator('body').innerText()).resolves.not.toMatch(figures);
  expect((await Promise.all(bodies)).join('\n')).not.toMatch(/_cents":\s*-?\d/);
  const { body } = await platform.client(world.admin).get(`/api/billing/remittances/${id}/`);
  expect(body).toMatchObject({ status: 'settled', total_cents: 19_000 });
});
