/** Hosted pages whose requests or answers are lost: one page is open, and a payment on it is recorded once. */
import { temporal } from '../../gateways/temporal/client.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { DUE, payingOnPages } from '../scenarios/hostedPages.support.js';

const { stage, dues, open, payOn, seal, attemptsOf, ends, sessions, captures, storyOf, finishes } = payingOnPages();

test.each([
  ['whose answer is lost', { kind: 'drop_after_capture' }],
  ['that the gateway has done and answered with a 500, for ever under this key', { kind: 'error_after_capture' }],
  ['that the gateway has answered with a 500, for ever under this key', { kind: 'error_before_capture' }],
  ['that the gateway has not heard of', { kind: 'drop_before_capture', times: 2 }],
])('a request %s opens one hosted page', async (_, fault) => {
  const invoice = await dues();
  await stage.platform.fault({ ...fault, operation: 'checkout' });
  const { status, body } = await open(invoice);
  expect(status).toBe(201);
  expect(await sessions()).toMatchObject([{ status: 'open', metadata: { attempt_id: body.attempt } }]);
  expect(await payOn(body.url)).toBe(true);
  expect(await ends(body.attempt)).toMatchObject({ status: 'succeeded' });
});

test('a click while the gateway hangs gets 503, and the next click finds the same attempt', async () => {
  const invoice = await dues();
  await stage.platform.fault({ kind: 'hang', operation: 'checkout', times: 100 });
  const { status, headers } = await open(invoice);
  expect([status, headers.get('retry-after')]).toEqual([503, '10']);
  const before = await attemptsOf(invoice);
  expect(before).toMatchObject([{ status: 'pending' }]);
  await stage.platform.clearFaults();
  const again = await eventually(
    () => open(invoice),
    (reply) => reply.status === 201,
  );
  expect(await attemptsOf(invoice)).toHaveLength(1);
  expect(await payOn(again.body.url)).toBe(true);
  await ends(again.body.attempt);
});

test('a first request that reaches the gateway after a second one leaves no open page beside the paid one', async () => {
  const invoice = await dues();
  await stage.platform.fault({ kind: 'hold', operation: 'checkout' });
  const { body } = await eventually(
    () => open(invoice),
    ({ status }) => status === 201,
  );
  await stage.platform.release();
  await eventually(sessions, ({ length }) => length === 2);
  expect(await payOn(body.url)).toBe(true);
  expect(await ends(body.attempt)).toMatchObject({ status: 'succeeded', checkout_keys: 2 });
  await eventually(
    sessions,
    (both) =>
      both
        .map(({ status }) => status)
        .sort()
        .join() === 'complete,expired',
  );
  // A third request may still be pending: the process continues, and looks once more.
  expect(await storyOf(body.attempt)).toMatchObject({ status: 'running', stuck: false, money_moved: 'yes' });
  await asOwner(`UPDATE payment_attempts SET checkout_asked_at = now() - interval '11 minutes' WHERE id = $1`, [
    body.attempt,
  ]);
  await temporal().workflow.getHandle(`hosted-page/${body.attempt}`).signal('look');
  expect(await finishes(body.attempt)).toMatchObject({ status: 'completed', stage: 'paid' });
  expect(await captures()).toEqual([{ amount_cents: DUE }]);
  await recordHistory(`hosted-page/${body.attempt}`, 'hostedPage-two-pages');
});

test('a click while its invoice is voided gets no page, and the page at the gateway is closed', async () => {
  const invoice = await dues();
  await stage.platform.fault({ kind: 'hold_after_capture', operation: 'checkout' });
  const clicked = open(invoice);
  await stage.platform.held();
  await stage.admin.post(`/api/invoices/${invoice}/void/`, { reason: 'Billed by mistake.' });
  await stage.platform.release();
  expect(await clicked).toMatchObject({ status: 409, body: { code: 'invoice_not_payable' } });
  expect(await attemptsOf(invoice)).toEqual([{ status: 'failed', failure_code: 'invoice_void' }]);
  expect(await sessions()).toMatchObject([{ status: 'expired' }]);
});

test('a page that the gateway refuses to open is a 400 and leaves no attempt open', async () => {
  await seal('secret_key_encrypted', 'not a key');
  const invoice = await dues();
  expect(await open(invoice)).toMatchObject({ status: 400, body: { code: 'payment_failed' } });
  expect(await attemptsOf(invoice)).toMatchObject([{ status: 'failed' }]);
});
