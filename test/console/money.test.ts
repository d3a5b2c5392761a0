/** An administrator decides what money waits for, by keyboard alone. */
import { readFile } from 'node:fs/promises';
import { asOwner } from '../support/owner.js';
import { aPlatform } from '../support/platform.js';
import { anInvoice, aWorld } from '../support/world.js';
import { aConsoleBrowser, signIn } from './browser.support.js';
import { setRate } from './duesRun.support.js';
import { shows, tabTo } from './keyboard.support.js';
import { moneyToDecide } from './moneyToDecide.support.js';

const platform = aPlatform();
const browser = aConsoleBrowser(platform);

test('an admin allocates a case to two invoices and keeps an unmatched payment as credit of a chapter', async () => {
  const { world, moneyCase, unmatched } = await moneyToDecide();
  const page = await browser.open();
  const decide = async (button: RegExp): Promise<void> => {
    await tabTo(page, button);
    await page.keyboard.press('Enter');
    await shows(page, 'One line.');
    await page.keyboard.type('The bank has named the payers');
    await page.keyboard.press('Enter');
  };
  await signIn(page, world.admin);
  await page.goto('/console/money-cases?status=open');
  await shows(page, 'Dispute that belongs to no known invoice');
  await tabTo(page, /^Dispute that belongs/);
  await page.keyboard.press('Enter');
  await shows(page, '$40.00 of $40.00 is still to be allocated.');
  for (const amount of ['25', '15.00']) {
    await tabTo(page, /^Amount of/);
    await page.keyboard.type(amount);
  }
  await shows(page, 'The whole amount is allocated.');
  await decide(/^Allocate/);
  await shows(page, 'The amount is allocated, and the case is closed.');

  await page.goto(`/console/unmatched-payments/${unmatched}`);
  await shows(page, 'Who gets the credit');
  await tabTo(page, /Who gets the credit/);
  await page.keyboard.press('Enter');
  await page.keyboard.type('Alpha');
  await shows(page, 'Chapter Alpha');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await decide(/^Keep it as credit/);
  await shows(page, 'The payment is kept as credit.');

  await page.goto('/console/audit-log?subject_type=processor_capture');
  await shows(page, /^\d+ fields?$/);
  await tabTo(page, /^Download as CSV/);
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(download.suggestedFilename()).toBe('audit-log.csv');
  const log = await readFile(await download.path(), 'utf8');
  expect(log).toMatch(/^\uFEFFid,created_at,action,/);
  expect(log.trim().split('\r\n')).toHaveLength(2);

  const admin = platform.client(world.admin);
  const organization = `/api/organizations/${world.organizationId}`;
  expect((await admin.get(`${organization}/money-cases/${moneyCase}/`)).body).toMatchObject({
    status: 'closed',
    resolution: 'allocated',
  });
  const { results } = (await admin.get(`${organization}/unmatched-payments/`)).body;
  expect(results).toMatchObject([{ state: 'kept_as_credit', resolution: { payer: { chapter: world.chapterId } } }]);
});

test('an admin refunds an invoice, adds a fee, issues its dues again as previewed, and voids them', async () => {
  const world = await aWorld({ members: 1 });
  const { organizationId, chapterId, member } = world;
  const admin = platform.client(world.admin);
  await setRate(world);
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 10_000 });
  await asOwner('UPDATE chapter_invoices SET is_recurring = true WHERE id = $1', [invoice]);
  const payment = { method: 'check', reference: '7', received_on: '2026-01-05', idempotency_key: invoice };
  const recorded = await admin.post(`/api/invoices/${invoice}/payments/`, { ...payment, amount_cents: 6_000 });
  expect(recorded.status).toBe(201);
  const page = await browser.open();
  const press = async (label: RegExp): Promise<void> => {
    await tabTo(page, label);
    await page.keyboard.press('Enter');
  };
  const fill = async (label: RegExp, text: string): Promise<void> => {
    await tabTo(page, label);
    await page.keyboard.type(text);
  };
  await signIn(page, world.admin);
  await page.goto(`/console/invoices/${invoice}`);
  await shows(page, 'The payer does not have enough credit.');

  await press(/^Refund$/);
  await shows(page, 'all that can be refunded, $60.00');
  await page.keyboard.type('90');
  await fill(/^How it is refunded/, 'Check 7');
  await fill(/^Reason/, 'Paid twice');
  await page.keyboard.press('Enter');
  await shows(page, 'At most 6000 cents can be refunded.');
  await tabTo(page, /^Amount/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('20');
  await page.keyboard.press('Enter');
  await shows(page, '$20.00 is refunded.');

  await press(/^Add a fee$/);
  await shows(page, 'Amount, in USD');
  await page.keyboard.type('5.50');
  await fill(/^Reason/, 'Returned check');
  await page.keyboard.press('Enter');
  await shows(page, 'A fee of $5.50 is added.');

  await press(/^Issue again$/);
  await shows(page, 'Issued again');
  await shows(page, '$130.50');
  await asOwner('UPDATE dues_rates SET amount_cents = 9000 WHERE organization_id = $1', [organizationId]);
  await press(/^Issue exactly this$/);
  await shows(page, 'The data has changed: this is a new preview');
  await shows(page, '$95.50');
  await press(/^Issue exactly this$/);
  await shows(page, 'The dues are issued again, and this invoice is void.');
  await press(/^The invoice that replaces it$/);
  await shows(page, '$55.50');

  await press(/^Void$/);
  await shows(page, 'One line.');
  await page.keyboard.type('The member has left');
  await page.keyboard.press('Enter');
  await shows(page, 'The invoice is void.');

  const { body: old } = await admin.get(`/api/invoices/${invoice}/`);
  expect(old).toMatchObject({ status: 'void', replaced_by: expect.any(String) });
  expect((await admin.get(`/api/invoices/${old.replaced_by}/`)).body).toMatchObject({
    status: 'void',
    void_reason: 'The member has left',
    total_cents: 9_550,
    payments: [{ amount_cents: 6_000, refunded_cents: 2_000 }],
  });
}, 60_000);

test('an admin sets a rate, changes it beside another admin, and changes a term and the settings', async () => {
  const world = await aWorld({ members: 1 });
  const admin = platform.client(world.admin);
  const rates = `/api/hq/dues/${world.organizationId}/rates/`;
  const page = await browser.open();
  const press = async (label: RegExp): Promise<void> => {
    await tabTo(page, label);
    await page.keyboard.press('Enter');
  };
  await signIn(page, world.admin);
  await page.goto('/console/dues-settings');
  await shows(page, 'There are no such rates');
  await press(/^New rate$/);
  await shows(page, 'Amount, in USD');
  for (const label of [/Term/, /Status/]) {
    await tabTo(page, label);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  await tabTo(page, /^Amount/);
  await page.keyboard.type('125');
  await page.keyboard.press('Enter');
  await shows(page, /: \$125\.00\.$/);

  const [rate] = (await admin.get(rates)).body.results;
  await press(/^Change /);
  await shows(page, 'Invoices that were issued keep their amounts.');
  expect((await admin.patch(`${rates}${rate.id}/`, { amount_cents: 13_000 })).status).toBe(200);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('140');
  await page.keyboard.press('Enter');
  await shows(page, 'Another person has changed this meanwhile');
  await shows(page, 'Changed meanwhile to: $130.00.');
  await press(/^Save$/);
  await shows(page, /: \$140\.00\.$/);

  await page.goto('/console/dues-settings?tab=terms');
  await shows(page, 'First day');
  await press(/^Change /);
  await shows(page, 'For example 2026-08-15.');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('Renamed');
  await page.keyboard.press('Enter');
  await shows(page, 'Renamed is saved.');

  await page.goto('/console/dues-settings?tab=settings');
  await shows(page, 'Days before the due date');
  await tabTo(page, /^Days before the due date/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('10, 3, x');
  await page.keyboard.press('Enter');
  await shows(page, 'Must be a number.');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('10, 3');
  await page.keyboard.press('Enter');
  await shows(page, 'The settings are saved.');

  const settings = (await admin.get(`/api/organizations/${world.organizationId}/dues-settings/`)).body;
  expect(settings.reminder_days_before).toEqual([10, 3]);
  expect((await admin.get(rates)).body.results).toMatchObject([{ term_name: 'Renamed', amount_cents: 14_000 }]);
}, 60_000);
