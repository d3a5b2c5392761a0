/** An admin decides requests, transfers a member, and imports a roster, by keyboard. */
import type { Page } from 'playwright-core';
import { aStore } from '../gateways/storage.support.js';
import { asOwner } from '../support/owner.js';
import { aPlatform } from '../support/platform.js';
import { aWorld, type World } from '../support/world.js';
import { accessibilityFaults, aConsoleBrowser, signIn } from './browser.support.js';

const platform = aPlatform();
aStore();
const browser = aConsoleBrowser(platform);
let world: World;
let page: Page;

beforeEach(async () => {
  world = await aWorld({ members: 3 });
  page = await browser.open();
  await signIn(page, world.admin);
});

/** Waits until the text is on the page. */
const shows = (text: string | RegExp) => page.getByText(text).first().waitFor({ timeout: 20_000 });

/** Activates a button by keyboard, and waits until it can be. */
async function pressButton(name: string | RegExp): Promise<void> {
  const button = page.getByRole('button', { name, disabled: false }).first();
  await button.waitFor({ timeout: 20_000 });
  await button.press('Enter');
}

const chapterName = async (id: string): Promise<string> =>
  (await asOwner<{ name: string }>('SELECT name FROM chapters WHERE id = $1', [id]))[0]?.name as string;

test('a regional admin approves one request, and rejects the others of its kind at once', async () => {
  await signIn(page, world.regionalAdmin);
  const admin = platform.client(world.admin);
  const officer = platform.client(world.officer);
  const requests: string[] = [];
  for (const name of ['Ann', 'Ben', 'Cem']) {
    const { status, body } = await officer.post(`/api/chapters/${world.chapterId}/member-add-requests/`, {
      email: `${name.toLowerCase()}-${Date.now()}@example.org`,
      first_name: name,
      last_name: 'Stone',
      justification: 'Transferred from another university',
    });
    expect(status).toBe(201);
    requests.push(body.id);
  }
  const statusOf = async (id: string | undefined): Promise<string> =>
    (await admin.get(`/api/organizations/${world.organizationId}/member-add-requests/${id}/`)).body.status;

  await page.goto('/console/approvals?kind=member_add');
  await page.getByRole('link', { name: 'New member Ann Stone' }).press('Enter');
  await shows('Transferred from another university');
  await pressButton('Approve');
  await shows('Notes (optional)');
  await page.keyboard.type('Welcome');
  await page.keyboard.press('Enter');
  await shows(/The request is now/);
  expect(await statusOf(requests[0])).toBe('pending_organization');

  await page.goto('/console/approvals?kind=member_add');
  for (const name of ['Ben', 'Cem'])
    await page.getByRole('checkbox', { name: `Select New member ${name} Stone` }).press('Space');
  await pressButton('Reject selected');
  await shows('One line. The requester reads them.');
  await page.keyboard.press('Enter');
  await shows('Say why.');
  await page.keyboard.type('Not this term');
  await page.keyboard.press('Enter');
  await shows('2 decided, 0 refused');
  expect(await Promise.all(requests.slice(1).map(statusOf))).toEqual(['rejected', 'rejected']);
});

test('an admin transfers a member as previewed', async () => {
  await page.goto(`/console/memberships/${world.member.membershipId}`);
  await pressButton(/New chapter/);
  await page.keyboard.type(await chapterName(world.otherChapterId));
  await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await pressButton('Preview');
  await shows('Nothing has changed yet.');
  await pressButton('Transfer');
  await shows('The transfer is made');
  const { body } = await platform.client(world.admin).get(`/api/memberships/${world.member.membershipId}/`);
  expect(body.status).toBe('inactive');
});

test('an admin imports a roster with a corrected line, sends the invitations, and undoes the import', async () => {
  const chapter = await chapterName(world.chapterId);
  const table = [
    'E-Mail,First name,Surname,Chapter',
    `ada-${Date.now()}@example.org,Ada,Byron,${chapter}`,
    `no address,Joan,Clarke,${chapter}`,
  ].join('\n');
  await page.goto('/console/imports');
  await shows('New import');
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'roster.csv', mimeType: 'text/csv', buffer: Buffer.from(table) });
  await pressButton('Upload');
  await pressButton('Save and preview');
  await shows('Lines with errors, which are left out: 1.');
  expect(await accessibilityFaults(page)).toEqual([]);

  await pressButton('Correct line 3');
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(`joan-${Date.now()}@example.org`);
  await page.keyboard.press('Enter');
  await pressButton('Preview again');
  await shows('Lines that add a member: 2.');
  await pressButton('Import the members');
  await shows('Send the invitations');
  expect(await accessibilityFaults(page)).toEqual([]);
  await pressButton('Send the invitations');
  await shows('The invitations are being mailed');
  await pressButton('Undo the import');
  await shows('Members whom the import has added become inactive.');
  await page.getByRole('dialog').getByRole('button', { name: 'Undo the import' }).press('Enter');
  await page.getByText('Undone', { exact: true }).first().waitFor({ timeout: 30_000 });
});
