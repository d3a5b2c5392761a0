/** The page to which donors return, as any HTTP client sees it; `test/browser/givingPages.test.ts` opens it in Chromium. */
import { randomUUID } from 'node:crypto';
import { apiWorld } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aPaidGift, aWaitingGift } from '../../support/giving.js';
import { donatePath, openPage, type ServedPage } from '../../support/givingPage.js';
import { asOwner } from '../../support/owner.js';

const { api, world, other } = apiWorld();
const EVIL = `"><img src=x onerror=alert(1)><script>alert(2)</script>'`;
let foundation: Foundation;
let foreign: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  foreign = await aFoundation(other);
});

const about = (id: string, more = '') => openPage(`${api.url}/donation-success/?donation_id=${id}${more}`);
const setGift = (id: string, columns: string) => asOwner(`UPDATE donations SET ${columns} WHERE id = $1`, [id]);
const refreshIn = ({ html }: ServedPage) => /http-equiv="refresh" content="(\d+); url=([^"]+)"/.exec(html)?.[1];

test('waits for a payment, and looks again by itself', async () => {
  const id = await aWaitingGift(world, foundation);
  const page = await about(id, `&token=${encodeURIComponent(EVIL)}`);
  expect(page.status).toBe(200);
  expect(page.html).toContain('Waiting for your payment');
  expect(page.html).not.toMatch(/Thank|Lovelace|example\.org|onerror|<script/);
  expect(page.headers.get('referrer-policy')).toBe('no-referrer');
  expect(page.html).toContain(`content="2; url=/donation-success/?donation_id=${id}&#38;look=1"`);
  expect([refreshIn(page), refreshIn(await about(id, '&look=10')), refreshIn(await about(id, '&look=x'))]).toEqual([
    '2',
    '30',
    '2',
  ]);
});

test('thanks for a completed gift only, and tells of its receipt', async () => {
  const id = await aPaidGift(world, foundation);
  const shown = async () => (await about(id)).html;
  expect(await shown()).toContain(
    '<h1>Thank you for your gift</h1>\n<p>We have received $50.00 for Spring appeal.</p>',
  );
  expect(await shown()).toMatch(/We mail your receipt to the address that you gave. Its number is \d{4}-\d{6}\./);
  expect(await shown()).not.toMatch(/http-equiv="refresh"|Lovelace|@/);
  await asOwner(`UPDATE tax_receipts SET mail_status = 'mailed', mailed_at = now() WHERE donation_id = $1`, [id]);
  expect(await shown()).toContain('We have mailed your receipt');
});

test('has a sentence for a gift that failed, is under review, or was refunded', async () => {
  const id = await aWaitingGift(world, foundation);
  await setGift(id, `status = 'failed', failure_code = 'card_declined'`);
  const failed = await about(id);
  expect(failed.html).toContain('Your gift was not paid');
  expect(failed.html).toContain(`href="${donatePath(foundation)}"`);
  // Another card may be paying it at this moment.
  expect([refreshIn(failed), refreshIn(await about(id, '&look=10'))]).toEqual(['2', undefined]);
  await setGift(id, `status = 'pending', failure_code = NULL, under_review = true`);
  const reviewed = await about(id);
  expect(reviewed.html).toContain('Please do not pay again.');
  expect(refreshIn(reviewed)).toBeUndefined();

  const paid = await aPaidGift(world, foundation);
  const give = (cents: number) =>
    asOwner(
      `INSERT INTO donation_entries (organization_id, donation_id, capture_id, kind, amount_cents, moved_at)
       SELECT organization_id, donation_id, id, 'returned', $2, now() FROM processor_captures WHERE donation_id = $1`,
      [paid, cents],
    );
  await give(1_000);
  expect((await about(paid)).html).toContain('<p>$10.00 of it was refunded.</p>');
  await give(4_000);
  const refunded = (await about(paid)).html;
  expect(refunded).toContain('<h1>Your gift was refunded</h1>');
  expect(refunded).not.toContain('Thank');
});

test('is one neutral page for every other id', async () => {
  const asked = async (query: string) => {
    const { status, html } = await openPage(`${api.url}/donation-success/${query}`);
    return [status, html];
  };
  const unknown = await asked(`?donation_id=${randomUUID()}`);
  expect(unknown).toEqual([404, expect.stringContaining('We know no gift with this address')]);
  const suspended = await aWaitingGift(other, foreign);
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [other.organizationId]);
  for (const query of [
    '',
    '?donation_id=',
    '?donation_id=nothing',
    `?donation_id=${foundation.campaignId}`,
    `?donation_id=${suspended}`,
    `?donation_id=${suspended}&donation_id=${suspended}`,
    `?donation_id=${encodeURIComponent(EVIL)}`,
    '?donation_id=%00',
    '?donation_id=%ff',
  ])
    expect([query, ...(await asked(query))]).toEqual([query, ...unknown]);
  await asOwner('UPDATE organizations SET is_active = true WHERE id = $1', [other.organizationId]);
});
