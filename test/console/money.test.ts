/** An administrator decides what money waits for, by keyboard alone. */
import { readFile } from 'node:fs/promises';
import { aPlatform } from '../support/platform.js';
import { aConsoleBrowser, signIn } from './browser.support.js';
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
