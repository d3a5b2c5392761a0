/** The notification bell in headless Chromium, over two processes of the API: an event at one is seen at the other. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import '../../models/wireAreas.js';
import { sequelize } from '../../models/database/connection.js';
import { closeAuxiliaryPool } from '../../models/database/auxiliaryPool.js';
import { inTenant } from '../../models/database/tenancy.js';
import { notifications } from '../../models/finances/notifications.js';
import { notify } from '../../models/notifications/notify.js';
import { givePassword, PASSWORD } from '../api/identity/accounts.support.js';
import { Client } from '../support/api.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { type OwnProcess, startOwn } from '../support/processes.js';
import { connected } from '../support/socket.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../support/world.js';
import { launchChromium } from '../browser/chromium.js';

let apis: OwnProcess[];
let urls: string[];
let browser: Browser;
let context: BrowserContext;
let pages: [Page, Page];
let complaints: string[];
let world: World;
let person: Person;

beforeAll(async () => {
  browser = await launchChromium();
  apis = await Promise.all([startOwn('api'), startOwn('api')]);
  urls = apis.map(({ port }) => `http://127.0.0.1:${port}`);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all((apis ?? []).map((api) => api.stop()));
  await Promise.all([closeOwner(), closeAuxiliaryPool(), sequelize.close()]);
});

/** One person in two windows, each connected to another process. */
beforeEach(async () => {
  world = await aWorld();
  person = await aMember(world.organizationId, world.chapterId);
  await givePassword(person.userId);
  context = await browser.newContext();
  complaints = [];
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  const [first, second] = [await context.newPage(), await context.newPage()];
  pages = [first, second];
  await first.goto(`${urls[0]}/notifications/demo`);
  await first.fill('[name=email]', person.email);
  await first.fill('[name=password]', PASSWORD);
  await first.click('#log-in button');
  await shows(first, '#who', `Signed in as ${person.email}`);
  // The notice of a sign-in from a new device.
  await asOwner('DELETE FROM notifications WHERE recipient_id = $1', [person.userId]);
  await first.reload();
  // Cookies are not bound to ports.
  await second.goto(`${urls[1]}/notifications/demo`);
  for (const page of pages) await shows(page, '#connection', /^connected$/);
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const shows = (page: Page, selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 10_000 });
const unread = (page: Page, count: number) => shows(page, '#bell', new RegExp(`^${count}$`));

/** Sends from this process, which is neither of the two. */
async function tell(): Promise<void> {
  const { membershipId } = person;
  const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId });
  await inTenant(world.organizationId, () => notify(notifications.invoice_issued, [invoice]));
}

test('a notification appears in both windows, and reading it in one marks it as read in the other', async () => {
  const [first, second] = pages;
  await tell();
  await tell();
  for (const page of pages) {
    await unread(page, 2);
    // The count and the list are two messages: a page that was still connecting loads the list after the count.
    await page.locator('#list li:not(.read)').nth(1).waitFor();
    expect(await page.locator('#list li:not(.read)').count()).toBe(2);
  }
  await first.locator('#list li button').first().click();
  for (const page of pages) await unread(page, 1);
  await shows(second, '#list li.read', 'New invoice');
  await second.click('#read-all');
  for (const page of pages) await unread(page, 0);
  expect(await first.locator('#list li.read').count()).toBe(2);
});

test('a type that the person switches off no longer appears, and a locked type cannot be switched off', async () => {
  const [first] = pages;
  expect(await first.locator('[name="account_security.in_app_enabled"]').isDisabled()).toBe(true);
  const saved = first.waitForResponse((answer) => answer.request().method() === 'POST');
  await first.locator('[name="invoice_issued.in_app_enabled"]').uncheck();
  expect((await saved).status()).toBe(200);
  await tell();
  const again = first.waitForResponse((answer) => answer.request().method() === 'POST');
  await first.locator('[name="invoice_issued.in_app_enabled"]').check();
  await again;
  await tell();
  for (const page of pages) await unread(page, 1);
  expect(await first.locator('#list li').count()).toBe(1);
});

test('a log-out at one process ends the connections at the other', async () => {
  const [first, second] = pages;
  await first.click('#sign-out');
  for (const page of [first, second]) await shows(page, '#who', 'Signed out');
});

test('a process that is replaced announces it, and its clients get the missed messages from another', async () => {
  const third = await startOwn('api');
  const socket = await connected(`http://127.0.0.1:${third.port}`, { token: person.token });
  await tell();
  const [event] = await socket.take('notification.created');
  const stopped = third.stop();
  expect(await socket.closed).toEqual({ code: 1012, reason: 'restarting' });
  await stopped;
  expect(third.child.exitCode).toBe(0);
  await tell();
  const since = event?.['notification'].id as string;
  const again = await connected(urls[0] as string, { token: person.token, since });
  const [missed] = await again.take('notification.created');
  expect(missed?.['notification'].id > since).toBe(true);
  expect((await new Client(urls[1] as string, { token: person.token }).post('/api/auth/logout/', {})).status).toBe(204);
  expect(await again.closed).toEqual({ code: 4401, reason: 'session_ended' });
});
