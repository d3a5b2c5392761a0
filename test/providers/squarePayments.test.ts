/** Cards at Square: the first step authorizes and the second captures, and an answer of either may be lost. */
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

test("a remittance below Square's minimum charge is refused", async () => {
  expect((await draft(99)).answer).toMatchObject({
    status: 400,
    body: { errors: { allocations: [expect.any(String)] } },
  });
});

test('a hosted page is opened and paid, and its event settles the invoice', async () => {
  const { invoice } = await aDraft();
  const { body, status } = await openPage(invoice);
  expect([status, body]).toMatchObject([201, { url: expect.stringContaining('/pay/') }]);
  await fetch(body.url, { method: 'POST', body: new URLSearchParams({ source_id: GOOD }), redirect: 'manual' });
  await untilPaid(invoice);
  await handled();
  expect(await stage.standin.moved()).toEqual({ captured: 5_000, refunded: 0 });
});
