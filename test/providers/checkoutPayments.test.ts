/** Cards at Checkout.com: the first step authorizes and the second captures, also on a hosted page, which cannot be closed there. */
import { CARDS } from '../../development/standins/checkout/state.js';
import { aCheckoutProcessor, startCheckout } from '../support/checkout.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { heldCards } from './heldCards.support.js';

const { stage, aDraft, lose, balanceOf, untilPaid, handled, openPage } = heldCards({
  name: 'Checkout.com',
  start: startCheckout,
  connect: aCheckoutProcessor,
  cards: CARDS,
  secondStep: 'capture',
});

const enter = (url: string, token: string = CARDS.good) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ token }), redirect: 'manual' });
const attemptsOf = (invoice: string) =>
  asOwner('SELECT status, failure_code FROM payment_attempts WHERE invoice_id = $1 ORDER BY id', [invoice]);
const statusesBecome = (expected: string[]) =>
  eventually(
    () => stage.standin.payments(),
    (now) => now.toString() === expected.toString(),
    60,
  );

test('a hosted page is captured at once when its payer pays, without polling, after another card was declined on it', async () => {
  const { invoice } = await aDraft();
  const { body, status } = await openPage(invoice);
  expect([status, body]).toMatchObject([201, { url: expect.stringContaining('/link/pl_') }]);
  expect((await enter(body.url, CARDS.declined)).status).toBe(402);
  await enter(body.url);
  await untilPaid(invoice);
  await handled();
  expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
  expect(await attemptsOf(invoice)).toEqual([{ status: 'succeeded', failure_code: null }]);
});

test.each(['before', 'after'] as const)(
  'a hosted page is captured once although the answer of the capture is lost %s it was carried out',
  async (when) => {
    const { invoice } = await aDraft();
    const { body } = await openPage(invoice);
    await lose('capture', when);
    await enter(body.url);
    await untilPaid(invoice, 60);
    await handled();
    expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
  },
);

test('a payment on a hosted page whose invoice was paid otherwise is voided, and the attempt fails as invoice_paid', async () => {
  const { invoice, pay } = await aDraft();
  const { body } = await openPage(invoice);
  expect(await pay()).toMatchObject({ status: 200, body: { status: 'settled' } });
  await enter(body.url);
  await statusesBecome(['Captured', 'Voided']);
  await handled();
  expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
  await eventually(
    () => attemptsOf(invoice),
    ([attempt]) => attempt?.['status'] === 'failed',
    60,
  );
  expect([await attemptsOf(invoice), await balanceOf(invoice)]).toEqual([
    [{ status: 'failed', failure_code: 'invoice_paid' }],
    0,
  ]);
});

test('a click is refused while a page for another amount is open, and opens a page for the amount due once that page has expired', async () => {
  const { invoice } = await aDraft();
  const { body } = await openPage(invoice);
  const discount = { amount_cents: 1_000, category: 'other', reason: 'Helped at the fair' };
  expect(await stage.admin.post(`/api/invoices/${invoice}/discounts/`, discount)).toMatchObject({ status: 201 });
  expect(await openPage(invoice)).toMatchObject({ status: 409, body: { code: 'earlier_page_open' } });
  await stage.standin.order('POST', '/links/expire');
  const other = await openPage(invoice);
  expect(other).toMatchObject({ status: 201, body: { attempt: expect.not.stringMatching(body.attempt) } });
  expect((await enter(body.url)).status).toBe(404);
  await enter(other.body.url);
  await untilPaid(invoice);
  expect(await stage.standin.moved()).toEqual({ captured: 4_000, refunded: 0 });
});
