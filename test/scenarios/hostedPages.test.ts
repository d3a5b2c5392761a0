/** Hosted pages that wait for their payer: they are looked up, closed and replaced. */
import { processId } from '../../api/processes/id.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { recoverProcesses } from '../../workflows/contracts/recoverProcesses.js';
import { paidIntent, refundedCharge, sendEvent } from '../support/events.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, eventually } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld } from '../support/world.js';
import { DUE, payingOnPages } from './hostedPages.support.js';

const {
  stage,
  dues,
  open,
  aPage,
  payOn,
  seal,
  mistypeWebhookSecret,
  dayPasses,
  attemptOf,
  attemptsOf,
  ends,
  invoiceOf,
  unexpected,
  atGateway,
  sessions,
  captures,
  storyOf,
  finishes,
  rests,
  discount,
  credited,
  remit,
} = payingOnPages();

test('an invoice below the minimum charge opens no hosted page', async () => {
  expect(await open(await dues(49))).toMatchObject({ status: 409, body: { code: 'amount_too_small' } });
});

describe('hosted pages whose events are refused', () => {
  beforeEach(mistypeWebhookSecret);

  test('a paid hosted page whose events are refused is recorded when its refund event makes the platform ask the gateway', async () => {
    const { invoice, url } = await aPage();
    expect(await payOn(url)).toBe(true);
    const [paid] = await atGateway<ReturnType<typeof paidIntent>>('/payment_intents');
    const object = refundedCharge(paid as ReturnType<typeof paidIntent>, 2_700);
    await sendEvent(stage.platform, 'charge.refunded', { to: stage.processor, secret: 'whsec_mistyped', object });
    const found = await eventually(
      () =>
        asOwner('SELECT amount_cents::int, refunded_cents::int FROM payment_records WHERE invoice_id = $1', [invoice]),
      ([payment]) => payment?.['refunded_cents'] === 2_700,
    );
    expect(found).toEqual([{ amount_cents: DUE, refunded_cents: 2_700 }]);
    // A charge that does not exist at the gateway has no refund.
    const unheard = refundedCharge(paidIntent(900, { processor_id: stage.processor, invoice_id: invoice }));
    await sendEvent(stage.platform, 'charge.refunded', {
      to: stage.processor,
      secret: 'whsec_mistyped',
      object: unheard,
    });
    const outcomes = await eventually(
      () => asOwner('SELECT outcome FROM webhook_events WHERE processor_id = $1 ORDER BY id', [stage.processor]),
      (events) => events.length === 2 && events.every(({ outcome }) => outcome),
    );
    expect(outcomes).toEqual([{ outcome: 'applied' }, { outcome: 'ignored' }]);
  });

  test('a paid hosted page whose events are refused is recorded by the next click a day later, which opens no second page', async () => {
    const { invoice, attempt, url } = await aPage();
    expect(await payOn(url)).toBe(true);
    await dayPasses(attempt);
    expect(await open(invoice)).toMatchObject({ status: 409, body: { code: 'invoice_not_payable' } });
    expect(await captures()).toEqual([{ amount_cents: DUE }]);
    expect(await sessions()).toHaveLength(1);
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', balance_due_cents: 0 });
    expect(await attemptsOf(invoice)).toEqual([{ status: 'succeeded', failure_code: null }]);
    expect(await finishes(attempt)).toMatchObject({ status: 'completed', stage: 'paid', money_moved: 'yes' });
    await recordHistory(`hosted-page/${attempt}`, 'hostedPage-paid');
  });

  test('a paid hosted page whose events are refused is recorded by the recovery when its own process was terminated', async () => {
    const { invoice, attempt, url } = await aPage();
    await payOn(url);
    await temporal().workflow.getHandle(`hosted-page/${attempt}`).terminate();
    await dayPasses(attempt);
    const taskQueue = queueName(recoverProcesses.taskQueue);
    await temporal().workflow.execute(recoverProcesses.name, {
      workflowId: `recovery-${attempt}`,
      taskQueue,
      args: [],
    });
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded' });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid' });
  });

  test('a hosted page that was paid while its invoice was voided becomes credit, and the audit log gives the reason', async () => {
    const { invoice, attempt, url } = await aPage();
    await stage.platform.fault({ kind: 'hold', operation: 'checkout_expire' });
    expect((await stage.admin.post(`/api/invoices/${invoice}/void/`, { reason: 'Billed by mistake.' })).status).toBe(
      200,
    );
    await stage.platform.held();
    expect(await payOn(url)).toBe(true);
    await stage.platform.release();
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded' });
    expect(await captures()).toEqual([{ amount_cents: DUE }]);
    expect(await unexpected(invoice)).toEqual([
      {
        after: expect.objectContaining({
          attempt_id: attempt,
          amount_cents: DUE,
          due_cents: 0,
          credit_issued_cents: DUE,
          reason: 'The invoice was void when it was paid. The excess became the payer’s credit.',
        }),
      },
    ]);
  });

  test("a hosted page is looked up with the processor's current key, and stays pending while the key is wrong", async () => {
    const { invoice, attempt, url } = await aPage();
    await rests(attempt);
    await seal('secret_key_encrypted', 'sk_test_another_account');
    await payOn(url);
    await dayPasses(attempt);
    expect((await open(invoice)).status).toBe(503);
    await eventually(
      () => storyOf(attempt),
      (story) => story.attempts > 1,
    );
    expect(await storyOf(attempt)).toMatchObject({ status: 'running', last_failure: { code: 'provider_refused' } });
    expect(await attemptOf(attempt)).toMatchObject({ status: 'pending' });
    await seal('secret_key_encrypted', accountKeyOf(stage.processor));
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded' });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid' });
  });
});

describe('open hosted pages', () => {
  const changes: [name: string, code: string, change: (invoice: string) => Promise<unknown>][] = [
    [
      'is voided',
      'invoice_void',
      (id) => stage.admin.post(`/api/invoices/${id}/void/`, { reason: 'Billed by mistake.' }),
    ],
    ['is paid from credit', 'invoice_paid', (id) => credited(id, DUE)],
    ['is paid in part from credit', 'amount_changed', (id) => credited(id, 700)],
    ['is discounted', 'amount_changed', (id) => discount(id, 1_000)],
    ['is paid by a remittance', 'invoice_paid', (id) => remit(id)],
  ];

  test.each(changes)(
    'a hosted page of an invoice that %s is closed at the gateway and cannot be paid any more',
    async (_, code, change) => {
      const { invoice, attempt, url } = await aPage();
      await change(invoice);
      expect(await ends(attempt)).toMatchObject({ status: 'failed', failure_code: code });
      expect(await payOn(url)).toBe(false);
      expect(await sessions()).toMatchObject([{ status: 'expired' }]);
      expect(await finishes(attempt)).toMatchObject({ status: 'completed', stage: 'closed', money_moved: 'no' });
    },
  );

  test('hosted pages of invoices that one remittance pays are all closed at the gateway', async () => {
    stage.world = await aWorld({ members: 8 });
    stage.processor = await aProcessor(stage.world);
    const officer = stage.platform.client(stage.world.officer);
    const invoices = await Promise.all(
      stage.world.memberships.map((membershipId) =>
        anInvoice(stage.world, { chapterId: stage.world.chapterId, membershipId, cents: DUE }),
      ),
    );
    const pages = await Promise.all(invoices.map((invoice) => officer.post(`/api/invoices/${invoice}/pay/`)));
    await remit(...invoices);
    for (const { body } of pages) expect(await ends(body.attempt)).toMatchObject({ failure_code: 'invoice_paid' });
    expect((await sessions()).map(({ status }) => status)).toEqual(pages.map(() => 'expired'));
  });

  test('a hosted page whose invoice changed its amount is replaced by a page for the amount due', async () => {
    const { invoice, attempt, url } = await aPage();
    await discount(invoice, 1_000);
    const { status, body } = await open(invoice);
    expect([status, body.attempt === attempt]).toEqual([201, false]);
    expect(await payOn(url)).toBe(false);
    expect(await payOn(body.url)).toBe(true);
    expect(await ends(body.attempt)).toMatchObject({ status: 'succeeded', amount_cents: DUE - 1_000 });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid' });
    expect(await unexpected(invoice)).toEqual([]);
  });

  test('a hosted page that expires within minutes is replaced by another and cannot be paid any more', async () => {
    const { invoice, attempt, url } = await aPage();
    await asOwner(`UPDATE payment_attempts SET checkout_expires_at = now() + interval '2 minutes' WHERE id = $1`, [
      attempt,
    ]);
    const again = await open(invoice);
    expect(again).toMatchObject({ status: 201, body: { url: expect.not.stringContaining(url) } });
    expect(await payOn(url)).toBe(false);
    expect(await attemptsOf(invoice)).toMatchObject([{ failure_code: 'replaced' }, { status: 'pending' }]);
    await recordHistory(`hosted-page/${attempt}`, 'hostedPage-replaced');
  });

  test('an unpaid hosted page ends when the gateway reports that it expired', async () => {
    const { invoice, attempt } = await aPage();
    const [session] = await sessions();
    await fetch(`${stage.platform.gateway.url}/v1/checkout/sessions/${session?.id}/expire`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accountKeyOf(stage.processor)}` },
    });
    expect((await open(invoice)).status).toBe(201);
    expect(await attemptOf(attempt)).toMatchObject({ status: 'failed', failure_code: 'expired' });
  });

  test('the process of a hosted page looks at it after 15 minutes and again at its expiry, and shows when', async () => {
    const { invoice, attempt } = await aPage();
    const asleep = () =>
      eventually(
        () => storyOf(attempt),
        ({ waiting_for }) => waiting_for?.code === 'time',
      );
    const story = await asleep();
    expect(story).toMatchObject({ kind: 'hosted_page', stage: 'open', money_moved: 'unknown', stuck: false });
    const minutesTo = (until: string) => Math.round((Date.parse(until) - Date.now()) / 60_000);
    expect(minutesTo(story.waiting_for.until)).toBe(15);
    await asOwner(`UPDATE payment_attempts SET checkout_asked_at = now() - interval '16 minutes' WHERE id = $1`, [
      attempt,
    ]);
    await open(invoice);
    await eventually(asleep, ({ waiting_for }) => minutesTo(waiting_for.until) === 24 * 60);
  });

  test('a hosted page that an administrator cancels is closed at the gateway', async () => {
    const { invoice, attempt, url } = await aPage();
    const cancelled = await stage.admin.post(`/api/processes/${processId(`hosted-page/${attempt}`)}/cancel/`);
    expect(cancelled).toMatchObject({ status: 200, body: { outcome: 'cancelled', process: { money_moved: 'no' } } });
    expect(await payOn(url)).toBe(false);
    expect(await attemptsOf(invoice)).toEqual([{ status: 'failed', failure_code: 'cancelled' }]);
    expect((await open(invoice)).status).toBe(201);
    await recordHistory(`hosted-page/${attempt}`, 'hostedPage-cancelled');
  });
});
test('an admin of another organization cannot read the process of a hosted page', async () => {
  const { attempt } = await aPage();
  const stranger = stage.platform.client((await aWorld({ members: 1 })).admin);
  expect((await stranger.get(`/api/processes/${processId(`hosted-page/${attempt}`)}/`)).status).toBe(404);
});
