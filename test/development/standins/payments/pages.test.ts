import type Stripe from 'stripe';
import { closeAll, failure, payment, startInstance, startReceiver, until, type Instance } from './payments.support.js';

let standin: Instance;
let stripe: Stripe;
beforeEach(async () => {
  standin = await startInstance();
  stripe = standin.stripe();
});
afterEach(closeAll);

const SUCCESS = 'http://localhost:3000/paid?session={CHECKOUT_SESSION_ID}';

const openSession = () =>
  stripe.checkout.sessions.create({
    mode: 'payment',
    success_url: SUCCESS,
    cancel_url: 'http://localhost:3000/dues',
    line_items: [{ quantity: 2, price_data: { currency: 'usd', unit_amount: 1250, product_data: { name: '<Dues>' } } }],
    metadata: { remittance_id: '8' },
    payment_intent_data: { metadata: { remittance_id: '8', processor_id: '3' } },
  });

/** Submits the form as a browser would, without following the redirect. */
const submit = (url: string | null, fields: Record<string, string>) =>
  fetch(url ?? '', { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

test('a session points at a hosted page that offers the test cards', async () => {
  const session = await openSession();
  expect(session).toMatchObject({ status: 'open', payment_status: 'unpaid', amount_total: 2500, payment_intent: null });
  expect(session.id).toMatch(/^cs_test_/);
  const html = await (await fetch(session.url ?? '')).text();
  expect(html).toContain('<option value="pm_card_visa">');
  expect(html).toContain('Pay $25.00');
  expect(html).toContain('&lt;Dues&gt;');
});

test('paying on the hosted page charges the card and redirects to the success address', async () => {
  const receiver = await startReceiver();
  await standin.control('POST', '/webhook-endpoints', { url: receiver.url, secret: 'whsec_1' });
  const session = await openSession();
  const response = await submit(session.url, { payment_method: 'pm_card_visa' });
  expect(response.status).toBe(303);
  expect(response.headers.get('location')).toBe(`http://localhost:3000/paid?session=${session.id}`);
  const paid = await stripe.checkout.sessions.retrieve(session.id, { expand: ['payment_intent', 'line_items'] });
  expect(paid).toMatchObject({
    status: 'complete',
    payment_status: 'paid',
    payment_intent: { status: 'succeeded', amount_received: 2500, metadata: { remittance_id: '8', processor_id: '3' } },
    line_items: { data: [{ quantity: 2, amount_total: 2500 }] },
  });
  expect((await standin.control('GET', '/ledger?remittance_id=8')).body).toMatchObject([{ amount_cents: 2500 }]);
  await until(() => receiver.received.some(({ event }) => event.type === 'checkout.session.completed'));
});

test('a second submission of the page charges nothing more', async () => {
  const session = await openSession();
  const answers = await Promise.all([1, 2].map(() => submit(session.url, { payment_method: 'pm_card_visa' })));
  expect(answers.map(({ status }) => status)).toEqual([303, 303]);
  expect((await standin.control('GET', '/ledger')).body).toHaveLength(1);
});

test('a decline is shown on the hosted page, which can still be paid', async () => {
  const session = await openSession();
  const declined = await submit(session.url, { payment_method: 'pm_card_chargeDeclinedInsufficientFunds' });
  expect(declined.status).toBe(402);
  expect(await declined.text()).toContain('Your card has insufficient funds.');
  expect((await submit(session.url, { payment_method: 'pm_card_visa' })).status).toBe(303);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
});

test('a card that requires its holder leads to a page of its own', async () => {
  const session = await openSession();
  const challengePage = await submit(session.url, { payment_method: 'pm_card_authenticationRequired' });
  const bank = challengePage.headers.get('location');
  expect(bank).toContain('/authenticate/pi_');
  expect(await (await fetch(bank ?? '')).text()).toContain('Complete authentication');
  const back = await submit(bank, { decision: 'complete' });
  expect(back.headers.get('location')).toBe(`http://localhost:3000/paid?session=${session.id}`);
  expect((await stripe.checkout.sessions.retrieve(session.id)).payment_status).toBe('paid');
});

test('an expired session cannot be paid', async () => {
  const session = await openSession();
  expect((await stripe.checkout.sessions.expire(session.id)).status).toBe('expired');
  expect((await submit(session.url, { payment_method: 'pm_card_visa' })).status).toBe(410);
  expect(await failure(stripe.checkout.sessions.expire(session.id))).toMatchObject({ statusCode: 400 });
  expect((await standin.control('GET', '/ledger')).body).toEqual([]);
});

test('the first page lists recent payments', async () => {
  const { id } = await stripe.paymentIntents.create(payment('55'));
  const html = await (await fetch(standin.url)).text();
  expect(html).toContain(id);
  expect(html).toContain('$25.00');
});

test('the ledger is also available as CSV', async () => {
  const { id } = await stripe.paymentIntents.create(payment('a,"b"'), { idempotencyKey: 'k1' });
  const lines = (await (await fetch(`${standin.ledgerUrl}?format=csv`)).text()).split('\r\n');
  expect(lines[0]).toBe('kind,payment_intent,charge,remittance_id,donation_id,idempotency_key,amount_cents,at');
  expect(lines[1]).toContain(`capture,${id},`);
  expect(lines[1]).toContain('"a,""b""",,k1,2500,');
});
