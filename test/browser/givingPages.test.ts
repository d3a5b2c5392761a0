/**
 * A donor gives in headless Chromium on a small phone, without scripts: once, and every month until a mailed link ends it. The
 * provider is its stand-in.
 */
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { config } from '../../config.js';
import type { Catcher } from '../../development/standins/mail/catcher.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { donatePath } from '../support/givingPage.js';
import { giftOf } from '../support/giving.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, eventually } from '../support/platform.js';
import { pledgeOf, pledgeRow } from '../support/pledges.js';
import { aWorld } from '../support/world.js';
import { launchChromium } from './chromium.js';
import { expectUsable, LOWEST_CONTRAST } from './usable.js';

let catcher: Catcher;
// The worker of the platform reads the address of the mail server when it starts.
beforeAll(async () => {
  catcher = await startMailServer();
});
const platform = aPlatform();
let browser: Browser;
let foundation: Foundation;
let context: BrowserContext;
let page: Page;
/** Requests that the pages of the API made to another server, but for the provider's page. */
let complaints: string[];

beforeAll(async () => {
  Object.assign(config, { backendUrl: platform.api.url, givingUrl: platform.api.url });
  foundation = await aFoundation(await aWorld({ members: 1 }));
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await stopMailServer(catcher);
});
beforeEach(async () => {
  complaints = [];
  context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width: 320, height: 568 },
    baseURL: platform.api.url,
  });
  page = await context.newPage();
  page.on('console', (line) => /Content Security Policy/.test(line.text()) && complaints.push(line.text()));
  page.on('request', (request) => {
    const isForeign = !request.url().startsWith(platform.api.url);
    if (isForeign && request.headers()['referer']?.startsWith(platform.api.url))
      complaints.push(`referrer at ${request.url()}`);
    if (isForeign && !request.isNavigationRequest() && page.url().startsWith(platform.api.url))
      complaints.push(request.url());
  });
});
afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

const heading = (text: string) => page.getByRole('heading', { level: 1, name: text }).waitFor();
const button = (name: string): Locator => page.getByRole('button', { name });
const fill = async (fields: Record<string, string>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label).fill(value);
};
const DONOR = { 'First name': 'Ada', 'Last name': 'Lovelace' };
const shownGift = () => giftOf(new URL(page.url()).searchParams.get('donation_id') as string);

test('a donor without scripts corrects the form, is declined, gives again, and sees it within seconds', async () => {
  // Only the process of the page learns of the payment in time.
  await platform.fault({ kind: 'delay_events', delay_ms: 60_000 });
  await page.goto(donatePath(foundation));
  await heading('Spring appeal');
  await expectUsable(page);
  await fill({ 'First name': 'Ada', 'Telephone (optional)': '+1 202 555 0143' });
  await button('Review your gift').click();
  await page.getByRole('alert').getByText('Some fields need your attention.').waitFor();
  await expectUsable(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await page.evaluate(LOWEST_CONTRAST)).toBeGreaterThanOrEqual(4.5);
  }
  expect(await page.getByLabel('First name').inputValue()).toBe('Ada');
  await page.getByRole('link', { name: 'E-mail address: Enter your e-mail address.' }).click();
  expect(await page.evaluate('document.activeElement.name')).toBe('email');
  const describedBy = await page.getByLabel('E-mail address').getAttribute('aria-describedby');
  expect(describedBy).toBe('email-hint email-error');
  expect(await page.locator('#email-error').innerText()).toBe('Error: Enter your e-mail address.');

  await fill({ ...DONOR, 'E-mail address': 'ada@example.org' });
  await page.getByRole('radio', { name: '$50.00' }).check();
  await button('Review your gift').click();
  await heading('Check your gift');
  await expectUsable(page);
  await page.getByText('You cover the fee of $1.81. Alpha Foundation receives $50.00.').waitFor();
  // A double click is one gift.
  await button('Pay $51.81').dblclick();
  await heading('Pay $51.81');
  expect(await asOwner('SELECT amount_cents::int FROM donations')).toEqual([{ amount_cents: 5_181 }]);
  await page.locator('#payment-method').selectOption('pm_card_chargeDeclined');
  await button('Pay').click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'Go back without paying' }).click();
  await heading('Spring appeal');

  await fill({ ...DONOR, 'E-mail address': 'ada@example.org', 'Another amount': '75' });
  await button('Review your gift').click();
  await button('Change something').click();
  expect(await page.getByLabel('Another amount').inputValue()).toBe('75');
  await button('Review your gift').click();
  await button('Pay $75.00').click();
  await heading('Pay $75.00');
  await button('Pay').click();
  const paidAt = Date.now();
  await heading('Thank you for your gift');
  expect(Date.now() - paidAt).toBeLessThan(10_000);
  await expectUsable(page);
  expect(await shownGift()).toMatchObject({ status: 'completed', amount_cents: 7_500 });
  await page.getByText('receipt').first().waitFor();
});

test('a donor without scripts gives every month, and ends that with the link in a mail, which asks first', async () => {
  await page.goto(donatePath(foundation));
  await heading('Spring appeal');
  await page.getByRole('radio', { name: '$25.00' }).check();
  await page.getByRole('radio', { name: 'Every month' }).check();
  await fill({ ...DONOR, 'E-mail address': 'monthly@example.org' });
  await button('Review your gift').click();
  await heading('Check your gift');
  await expectUsable(page);
  await page.getByText('You pay $25.00 now, and again every month until you stop.').waitFor();
  await button('Pay $25.00 every month').click();
  await heading('Pay $25.00');
  await button('Pay').click();
  await heading('Thank you for your gift');
  const donationId = new URL(page.url()).searchParams.get('donation_id') as string;
  const pledge = await eventually(
    () => pledgeOf(donationId),
    (row) => Boolean(row?.card_encrypted),
  );

  const mails = await eventually(
    async () => catcher.mails.list('monthly@example.org'),
    (caught) => caught.some(({ subject }) => subject.startsWith('Your regular gift has started')),
  );
  const link = mails.map(({ text }) => /http\S+\/giving\/pledges\/[\w.-]+\//.exec(text)?.[0]).find(Boolean) as string;
  await page.goto(link);
  await heading('Cancel your regular gift');
  await expectUsable(page);
  await page.getByText('You give $25.00 every month to Spring appeal of Alpha Foundation').waitFor();
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'active' });
  await button('Cancel my regular gift').click();
  await heading('Your regular gift is cancelled');
  await expectUsable(page);
  expect(await pledgeRow(pledge.id)).toMatchObject({ status: 'cancelled', cancelled_by: 'mailed_link' });
  // It asks no more.
  await page.goto(link);
  await heading('Your regular gift is cancelled');
  await eventually(
    () => pledgeRow(pledge.id),
    ({ card_encrypted, card_forgotten_at }) => card_encrypted === null && card_forgotten_at !== null,
  );
});

test('a donor with a keyboard alone gives on a page whose texts are long and hostile', async () => {
  const evil = `<img src=x onerror="document.title=1"> ${'Wolfeschlegelsteinhausen'.repeat(5)}`;
  await asOwner(
    'UPDATE campaigns SET title = $2, description = $3, goods_description = $2, goods_value_cents = 5 WHERE id = $1',
    [
      foundation.campaignId,
      evil,
      `<table><tbody><tr>${'<td>Wolfeschlegelsteinhausen</td>'.repeat(9)}</tr></tbody></table><pre>${'x'.repeat(400)}</pre>`,
    ],
  );
  await page.goto(`${donatePath(foundation)}?from=${encodeURIComponent(evil)}`);
  await heading(evil);
  await expectUsable(page);
  const focused = () => page.evaluate<string>('document.activeElement.name || document.activeElement.textContent');
  const type = async (name: string, keys: string) => {
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(name);
    await (keys.length === 1 ? page.keyboard.press('Space') : page.keyboard.type(keys));
  };
  for (const [name, keys] of [
    ['amount', ' '],
    ['other_amount', '10'],
    ['recurring_interval', ' '],
    ['first_name', evil.slice(0, 90)],
    ['last_name', 'Lovelace'],
    ['email', 'keys@example.org'],
    ['phone', '+1 202 555 0143'],
    ['address', 'Main Street 1'],
    ['is_anonymous', ' '],
  ] as const)
    await type(name, keys);
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Review your gift');
  await page.keyboard.press('Enter');
  await heading('Check your gift');
  await expectUsable(page);
  expect(await page.locator('img').count()).toBe(0);
  await page.getByText('Anonymous').waitFor();
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('pay');
  await page.keyboard.press('Enter');
  await heading('Pay $10.00');
  await button('Pay').click();
  await heading('Thank you for your gift');
  await expectUsable(page);
});
