/** Cards at Square: money is held with the first step and taken with the second, and an answer of either may get lost. */
import { aSquareProcessor, startSquare } from '../support/square.js';
import { heldCards } from './heldCards.support.js';

const GOOD = 'cnon:card-nonce-ok';
const { stage, draft, aDraft, untilPaid, handled, openPage } = heldCards({
  name: 'Square',
  start: startSquare,
  connect: aSquareProcessor,
  cards: { good: GOOD, declined: 'cnon:card-nonce-declined' },
  secondStep: 'complete',
});

test('less than Square charges is no remittance', async () => {
  expect((await draft(99)).answer).toMatchObject({
    status: 400,
    body: { errors: { allocations: [expect.any(String)] } },
  });
});

test('a page is opened, paid, and its event settles the invoice', async () => {
  const { invoice } = await aDraft();
  const { body, status } = await openPage(invoice);
  expect([status, body]).toMatchObject([201, { url: expect.stringContaining('/pay/') }]);
  await fetch(body.url, { method: 'POST', body: new URLSearchParams({ source_id: GOOD }), redirect: 'manual' });
  await untilPaid(invoice);
  await handled();
  expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
});
