import { processId } from '../../api/processes/id.js';
import { queueName, temporal } from '../../gateways/temporal/client.js';
import { encrypt } from '../../models/database/encryption.js';
import { inTenant } from '../../models/database/tenancy.js';
import { applyCredit } from '../../models/finances/credit/applyCredit.js';
import { issueCredit } from '../../models/finances/credit/issueCredit.js';
import { recoverProcesses } from '../../workflows/contracts/recoverProcesses.js';
import type { Client } from '../support/api.js';
import { paidIntent, refundedCharge, sendEvent } from '../support/events.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, aProcessor, eventually } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { anInvoice, aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let processor: string;
let member: Client;
let admin: Client;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
  [member, admin] = [platform.client(world.member), platform.client(world.admin)];
});

const DUE = 7_700;
const dues = (cents = DUE) =>
  anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId, cents });
const open = (invoice: string) => member.post(`/api/invoices/${invoice}/pay/`);

/** An invoice with an open hosted page. */
async function aPage(): Promise<{ invoice: string; attempt: string; url: string }> {
  const invoice = await dues();
  const { status, body } = await open(invoice);
  expect(status).toBe(201);
  return { invoice, attempt: body.attempt, url: body.url };
}

/** Pays on a page as a payer would. @returns whether the gateway redirected to the return address of a completed payment */
async function payOn(url: string, card = 'pm_card_visa'): Promise<boolean> {
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ payment_method: card }),
  });
  return answer.headers.get('location')?.endsWith('?payment=done') ?? false;
}

const seal = (column: string, secret: string) =>
  asOwner(`UPDATE org_payment_processors SET ${column} = $2 WHERE id = $1`, [
    processor,
    encrypt(secret, { table: 'org_payment_processors', column, rowId: processor }),
  ]);
/** From now on every event of the gateway is refused. */
const mistypeWebhookSecret = () => seal('webhook_secret_encrypted', 'whsec_mistyped');

const dayPasses = (attempt: string) =>
  asOwner(
    `UPDATE payment_attempts SET created_at = created_at - interval '25 hours', checkout_asked_at = checkout_asked_at - interval '25 hours',
            checkout_expires_at = checkout_expires_at - interval '25 hours' WHERE id = $1`,
    [attempt],
  );

const attemptOf = async (id: string) => (await asOwner('SELECT * FROM payment_attempts WHERE id = $1', [id]))[0];
const attemptsOf = (invoice: string) =>
  asOwner('SELECT status, failure_code FROM payment_attempts WHERE invoice_id = $1 ORDER BY id', [invoice]);
const ends = (attempt: string) =>
  eventually(
    () => attemptOf(attempt),
    (row) => row?.['status'] !== 'pending',
  );
const invoiceOf = async (id: string) => (await asOwner('SELECT * FROM chapter_invoices WHERE id = $1', [id]))[0];
const unexpected = (invoice: string) =>
  asOwner(`SELECT after FROM audit_log WHERE action = 'payment.unexpected' AND subject_id = $1`, [invoice]);

interface Session {
  id: string;
  status: string;
  metadata: Record<string, string>;
}

/** Reads objects from the gateway itself. */
async function atGateway<T>(path: string): Promise<T[]> {
  const headers = { Authorization: `Bearer ${accountKeyOf(processor)}` };
  const answer = await fetch(`${platform.gateway.url}/v1${path}?limit=100`, { headers });
  return ((await answer.json()) as { data: T[] }).data;
}
const sessions = () => atGateway<Session>('/checkout/sessions');
const captures = () => asOwner('SELECT amount_cents::int FROM processor_captures WHERE processor_id = $1', [processor]);

const storyOf = async (attempt: string) =>
  (await admin.get(`/api/processes/${processId(`hosted-page/${attempt}`)}/`)).body;
const finishes = (attempt: string) =>
  eventually(
    () => storyOf(attempt),
    ({ status }) => status !== 'running',
  );

/** Waits until the process has opened its page and looked at it once; later requests are caused by the test. */
const rests = (attempt: string) =>
  eventually(
    async () => {
      const { events } = await temporal().workflow.getHandle(`hosted-page/${attempt}`).fetchHistory();
      return events?.filter((event) => event.activityTaskCompletedEventAttributes).length ?? 0;
    },
    (steps) => steps >= 2,
  );

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
    await sendEvent(platform, 'charge.refunded', { to: processor, secret: 'whsec_mistyped', object });
    const found = await eventually(
      () =>
        asOwner('SELECT amount_cents::int, refunded_cents::int FROM payment_records WHERE invoice_id = $1', [invoice]),
      ([payment]) => payment?.['refunded_cents'] === 2_700,
    );
    expect(found).toEqual([{ amount_cents: DUE, refunded_cents: 2_700 }]);
    // A charge that does not exist at the gateway has no refund.
    const unheard = refundedCharge(paidIntent(900, { processor_id: processor, invoice_id: invoice }));
    await sendEvent(platform, 'charge.refunded', { to: processor, secret: 'whsec_mistyped', object: unheard });
    const outcomes = await eventually(
      () => asOwner('SELECT outcome FROM webhook_events WHERE processor_id = $1 ORDER BY id', [processor]),
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
    await platform.fault({ kind: 'hold', operation: 'checkout_expire' });
    expect((await admin.post(`/api/invoices/${invoice}/void/`, { reason: 'Billed by mistake.' })).status).toBe(200);
    await platform.held();
    expect(await payOn(url)).toBe(true);
    await platform.release();
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
    await seal('secret_key_encrypted', accountKeyOf(processor));
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded' });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid' });
  });
});

describe('open hosted pages', () => {
  const changes: [name: string, code: string, change: (invoice: string) => Promise<unknown>][] = [
    ['is voided', 'invoice_void', (id) => admin.post(`/api/invoices/${id}/void/`, { reason: 'Billed by mistake.' })],
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
    world = await aWorld({ members: 8 });
    processor = await aProcessor(world);
    const officer = platform.client(world.officer);
    const invoices = await Promise.all(
      world.memberships.map((membershipId) =>
        anInvoice(world, { chapterId: world.chapterId, membershipId, cents: DUE }),
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
    await fetch(`${platform.gateway.url}/v1/checkout/sessions/${session?.id}/expire`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${accountKeyOf(processor)}` },
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
    const cancelled = await admin.post(`/api/processes/${processId(`hosted-page/${attempt}`)}/cancel/`);
    expect(cancelled).toMatchObject({ status: 200, body: { outcome: 'cancelled', process: { money_moved: 'no' } } });
    expect(await payOn(url)).toBe(false);
    expect(await attemptsOf(invoice)).toEqual([{ status: 'failed', failure_code: 'cancelled' }]);
    expect((await open(invoice)).status).toBe(201);
    await recordHistory(`hosted-page/${attempt}`, 'hostedPage-cancelled');
  });
});

describe('payments on hosted pages', () => {
  test('a payment on a hosted page while a remittance pays its invoice is recorded, and the remittance is flagged', async () => {
    const { invoice, attempt, url } = await aPage();
    const officer = platform.client(world.officer);
    const allocations = [{ invoice, amount_cents: DUE }];
    const { body } = await officer.post('/api/billing/remittances/', { chapter: world.chapterId, allocations });
    await platform.fault({ kind: 'hold', remittance_id: body.id });
    const paying = officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
    await platform.held();
    expect(await payOn(url)).toBe(true);
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded' });
    await platform.release();
    expect(await paying).toMatchObject({ body: { code: 'remittance_needs_reconciliation' } });
    expect((await officer.get(`/api/billing/remittances/${body.id}/`)).body).toMatchObject({
      status: 'needs_reconciliation',
    });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', paid_cents: DUE });
    expect(await captures()).toEqual([{ amount_cents: DUE }, { amount_cents: DUE }]);
  });

  test('a hosted page that was paid after its key was revoked is recorded, and its disabled processor accepts a new key until the page is closed', async () => {
    const { attempt, url } = await aPage();
    await platform.changeKey({ key: accountKeyOf(processor), revoked: true });
    expect(await payOn(url)).toBe(true);
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded', checkout_closed_at: null });
    const path = `/api/organizations/${world.organizationId}/payment-processors/${processor}/`;
    expect((await admin.post(`${path}disable/`)).body).toMatchObject({ is_active: false, has_work_under_way: true });
    expect(await admin.post(`${path}rotate/`, { secret_key: 'sk_test_of_another_account' })).toMatchObject({
      status: 409,
      body: { code: 'processor_other_account' },
    });
    const secret_key = `sk_test_next_${world.slug.replaceAll('-', '_')}`;
    await platform.changeKey({ key: secret_key, same_account_as: accountKeyOf(processor) });
    expect(await admin.post(`${path}rotate/`, { secret_key })).toMatchObject({ status: 200 });
    await admin.post(`/api/processes/${processId(`hosted-page/${attempt}`)}/retry/`);
    expect(await finishes(attempt)).toMatchObject({ status: 'completed', stage: 'paid' });
    expect((await admin.get(path)).body).toMatchObject({ has_work_under_way: false });
    expect(await captures()).toEqual([{ amount_cents: DUE }]);
  });

  test('a hosted page of a replaced processor is recorded for it, and a click opens a page at the new one and closes the old page', async () => {
    const [first, second] = [await aPage(), await aPage()];
    const path = `/api/organizations/${world.organizationId}/payment-processors/`;
    await admin.post(`${path}${processor}/disable/`);
    const connected = await admin.post(path, {
      provider: 'stripe',
      label: 'New account',
      secret_key: `sk_test_new_${world.slug.replaceAll('-', '_')}`,
      webhook_secret: 'whsec_of_the_new_account',
    });
    expect(connected).toMatchObject({ status: 201 });
    expect(await payOn(first.url)).toBe(true);
    expect(await ends(first.attempt)).toMatchObject({ status: 'succeeded', processor_id: processor });
    const again = await open(second.invoice);
    expect(again).toMatchObject({ status: 201 });
    expect(await attemptOf(second.attempt)).toMatchObject({ status: 'failed', failure_code: 'replaced' });
    expect(await payOn(second.url)).toBe(false);
    expect(await attemptOf(again.body.attempt)).toMatchObject({ processor_id: connected.body.id });
    expect((await open(first.invoice)).body).toMatchObject({ code: 'invoice_not_payable' });
  });

  test('a hosted page that is paid just before its expiry is recorded although its event comes later', async () => {
    const { invoice, attempt, url } = await aPage();
    await platform.fault({ kind: 'delay_events', delay_ms: 3_000, invoice_id: invoice });
    expect(await payOn(url)).toBe(true);
    await dayPasses(attempt);
    expect(await open(invoice)).toMatchObject({ body: { code: 'invoice_not_payable' } });
    expect(await attemptsOf(invoice)).toEqual([{ status: 'succeeded', failure_code: null }]);
    await eventually(
      () => asOwner('SELECT outcome FROM webhook_events WHERE processor_id = $1', [processor]),
      ([event]) => event?.['outcome'] === 'applied',
    );
    expect(await captures()).toEqual([{ amount_cents: DUE }]);
    expect(await unexpected(invoice)).toEqual([]);
  });
});

describe('opening hosted pages', () => {
  test('simultaneous clicks open one hosted page', async () => {
    const invoice = await dues();
    const clicks = await Promise.all([open(invoice), open(invoice), open(invoice)]);
    expect(clicks.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(clicks.map(({ body }) => body.url)).size).toBe(1);
    expect(await sessions()).toHaveLength(1);
  });

  test.each([
    ['whose answer is lost', { kind: 'drop_after_capture' }],
    ['that the gateway has done and answered with a 500, for ever under this key', { kind: 'error_after_capture' }],
    ['that the gateway has answered with a 500, for ever under this key', { kind: 'error_before_capture' }],
    ['that the gateway has not heard of', { kind: 'drop_before_capture', times: 2 }],
  ])('a request %s opens one hosted page', async (_, fault) => {
    const invoice = await dues();
    await platform.fault({ ...fault, operation: 'checkout' });
    const { status, body } = await open(invoice);
    expect(status).toBe(201);
    expect(await sessions()).toMatchObject([{ status: 'open', metadata: { attempt_id: body.attempt } }]);
    expect(await payOn(body.url)).toBe(true);
    expect(await ends(body.attempt)).toMatchObject({ status: 'succeeded' });
  });

  test('a click while the gateway hangs gets 503, and the next click finds the same attempt', async () => {
    const invoice = await dues();
    await platform.fault({ kind: 'hang', operation: 'checkout', times: 100 });
    const { status, headers } = await open(invoice);
    expect([status, headers.get('retry-after')]).toEqual([503, '10']);
    const before = await attemptsOf(invoice);
    expect(before).toMatchObject([{ status: 'pending' }]);
    await platform.clearFaults();
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
    await platform.fault({ kind: 'hold', operation: 'checkout' });
    const { body } = await eventually(
      () => open(invoice),
      ({ status }) => status === 201,
    );
    await platform.release();
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
    await platform.fault({ kind: 'hold_after_capture', operation: 'checkout' });
    const clicked = open(invoice);
    await platform.held();
    await admin.post(`/api/invoices/${invoice}/void/`, { reason: 'Billed by mistake.' });
    await platform.release();
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
});

test("a member who was transferred pays the former chapter's invoice, and the payment belongs to that chapter", async () => {
  const invoice = await dues();
  const move = (more: object) =>
    admin.post(`/api/memberships/${world.member.membershipId}/transfer/`, {
      to_chapter: world.otherChapterId,
      ...more,
    });
  const { preview_hash } = (await move({ dry_run: true })).body;
  const moved = await move({ preview_hash });
  expect([moved.status, moved.body.chapter]).toEqual([201, world.otherChapterId]);
  const own = await member.get(`/api/invoices/${invoice}/`);
  expect(own.body).toMatchObject({ status: 'open', chapter: world.chapterId, balance_due_cents: DUE });
  const page = await open(invoice);
  expect(page.status).toBe(201);
  expect(await payOn(page.body.url)).toBe(true);
  expect(await ends(page.body.attempt)).toMatchObject({ status: 'succeeded' });
  expect(await invoiceOf(invoice)).toMatchObject({
    status: 'paid',
    chapter_id: world.chapterId,
    membership_id: world.member.membershipId,
  });
});

test('an admin of another organization cannot read the process of a hosted page', async () => {
  const { attempt } = await aPage();
  const stranger = platform.client((await aWorld({ members: 1 })).admin);
  expect((await stranger.get(`/api/processes/${processId(`hosted-page/${attempt}`)}/`)).status).toBe(404);
});

const discount = (invoice: string, cents: number) =>
  asOwner(
    `INSERT INTO invoice_discounts (organization_id, invoice_id, amount_cents, reason) VALUES ($1, $2, $3, 'Hardship')`,
    [world.organizationId, invoice, cents],
  );

const credited = (invoice: string, amountCents: number) =>
  inTenant(world.organizationId, async () => {
    const payer = { chapterId: world.chapterId, membershipId: world.member.membershipId };
    await issueCredit({ payer, amountCents, reason: 'A gift.' });
    await applyCredit(invoice);
  });

async function remit(...invoices: string[]): Promise<void> {
  const officer = platform.client(world.officer);
  const { body } = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: DUE })),
  });
  await officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
  await eventually(
    () => invoiceOf(invoices[0] ?? ''),
    (row) => row?.['status'] === 'paid',
  );
}
