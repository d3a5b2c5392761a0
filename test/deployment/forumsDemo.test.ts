/** The page `/forums/demo` in headless Chromium, over two processes of the API: a comment at one is seen at the other. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import '../../models/wireAreas.js';
import { launchChromium } from '../browser/chromium.js';
import { givePassword, PASSWORD } from '../api/identity/accounts.support.js';
import { Client } from '../support/api.js';
import { asOwner, closeOwner } from '../support/owner.js';
import { type OwnProcess, startOwn } from '../support/processes.js';
import { aWorld, type Person, type World } from '../support/world.js';

let apis: OwnProcess[];
let browser: Browser;
let world: World;
let forum: string;
const contexts: BrowserContext[] = [];
const complaints: string[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  apis = await Promise.all([startOwn('api'), startOwn('api')]);
  world = await aWorld();
  const officer = new Client(urlOf(0), { token: world.officer.token });
  const made = await officer.post('/api/forums/', {
    name: 'Housing',
    chapter: world.chapterId,
    visibility: 'invite_only',
  });
  forum = made.body.id;
  await officer.post(`/api/forums/${forum}/posts/`, { title: 'Spare keys', body: 'Who has <b>them</b>?' });
  await asOwner(
    `INSERT INTO forum_memberships (organization_id, forum_id, user_id, role, status) VALUES ($1, $2, $3, 'member', 'active')`,
    [world.organizationId, forum, world.member.userId],
  );
  for (const { userId } of [world.officer, world.member]) await givePassword(userId);
});
afterAll(async () => {
  await Promise.all(contexts.map((context) => context.close()));
  await browser?.close();
  await Promise.all((apis ?? []).map((api) => api.stop()));
  await closeOwner();
});

const urlOf = (process: number) => `http://127.0.0.1:${apis[process]?.port}`;
const shows = (page: Page, selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: 10_000 });

/** Signs a person in at a process, and opens the thread. */
async function openThread(person: Person, process: number): Promise<Page> {
  const context = await browser.newContext();
  contexts.push(context);
  context.on('weberror', (error) => complaints.push(error.error().message));
  context.on('console', (message) => {
    if (/Content Security Policy/.test(message.text())) complaints.push(message.text());
  });
  const page = await context.newPage();
  await page.goto(`${urlOf(process)}/forums/demo`);
  await page.fill('[name=email]', person.email);
  await page.fill('[name=password]', PASSWORD);
  await page.click('#log-in button');
  await shows(page, '#connection', /^connected$/);
  await page.click('#forums button:has-text("Housing")');
  await page.click('#threads button:has-text("Spare keys")');
  await shows(page, '#body', 'Who has <b>them</b>?');
  return page;
}

test('a comment appears in the other window, and a person who is removed from the forum no longer sees it', async () => {
  const [officer, member] = [await openThread(world.officer, 0), await openThread(world.member, 1)];
  for (const [page, body] of [
    [member, 'I have them'],
    [officer, 'Thank you'],
  ] as const) {
    await page.fill('#answer textarea', body);
    await page.click('#answer button');
    for (const window of [officer, member]) await shows(window, '#comments li', body);
  }
  await asOwner(`UPDATE forum_memberships SET status = 'removed' WHERE forum_id = $1 AND user_id = $2`, [
    forum,
    world.member.userId,
  ]);
  await officer.fill('#answer textarea', 'Between us');
  await officer.click('#answer button');
  await shows(officer, '#comments li', 'Between us');
  await member.locator('#forum').waitFor({ state: 'hidden', timeout: 10_000 });
  expect(await member.locator('#forums li').count()).toBe(0);
  expect(complaints).toEqual([]);
});
