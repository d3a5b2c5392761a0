/** Hosted pages are opened once, and a payment on one is recorded once. */
import { processId } from '../../api/processes/id.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { DUE, payingOnPages } from './hostedPages.support.js';

const {
  stage,
  dues,
  open,
  aPage,
  payOn,
  dayPasses,
  attemptOf,
  attemptsOf,
  ends,
  invoiceOf,
  unexpected,
  sessions,
  captures,
  finishes,
} = payingOnPages();

describe('payments on hosted pages', () => {
  test('a payment on a hosted page while a remittance pays its invoice is recorded, and the remittance is flagged', async () => {
    const { invoice, attempt, url } = await aPage();
    const officer = stage.platform.client(stage.world.officer);
    const allocations = [{ invoice, amount_cents: DUE }];
    const { body } = await officer.post('/api/billing/remittances/', { chapter: stage.world.chapterId, allocations });
    await stage.platform.fault({ kind: 'hold', remittance_id: body.id });
    const paying = officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
    await stage.platform.held();
    expect(await payOn(url)).toBe(true);
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded' });
    await stage.platform.release();
    expect(await paying).toMatchObject({ body: { code: 'remittance_needs_reconciliation' } });
    expect((await officer.get(`/api/billing/remittances/${body.id}/`)).body).toMatchObject({
      status: 'needs_reconciliation',
    });
    expect(await invoiceOf(invoice)).toMatchObject({ status: 'paid', paid_cents: DUE });
    expect(await captures()).toEqual([{ amount_cents: DUE }, { amount_cents: DUE }]);
  });

  test('a hosted page that was paid after its key was revoked is recorded, and its disabled processor accepts a new key until the page is closed', async () => {
    const { attempt, url } = await aPage();
    await stage.platform.changeKey({ key: accountKeyOf(stage.processor), revoked: true });
    expect(await payOn(url)).toBe(true);
    expect(await ends(attempt)).toMatchObject({ status: 'succeeded', checkout_closed_at: null });
    const path = `/api/organizations/${stage.world.organizationId}/payment-processors/${stage.processor}/`;
    expect((await stage.admin.post(`${path}disable/`)).body).toMatchObject({
      is_active: false,
      has_work_under_way: true,
    });
    expect(await stage.admin.post(`${path}rotate/`, { secret_key: 'sk_test_of_another_account' })).toMatchObject({
      status: 409,
      body: { code: 'processor_other_account' },
    });
    const secret_key = `sk_test_next_${stage.world.slug.replaceAll('-', '_')}`;
    await stage.platform.changeKey({ key: secret_key, same_account_as: accountKeyOf(stage.processor) });
    expect(await stage.admin.post(`${path}rotate/`, { secret_key })).toMatchObject({ status: 200 });
    await stage.admin.post(`/api/processes/${processId(`hosted-page/${attempt}`)}/retry/`);
    expect(await finishes(attempt)).toMatchObject({ status: 'completed', stage: 'paid' });
    expect((await stage.admin.get(path)).body).toMatchObject({ has_work_under_way: false });
    expect(await captures()).toEqual([{ amount_cents: DUE }]);
  });

  test('a hosted page of a replaced processor is recorded for it, and a click opens a page at the new one and closes the old page', async () => {
    const [first, second] = [await aPage(), await aPage()];
    const path = `/api/organizations/${stage.world.organizationId}/payment-processors/`;
    await stage.admin.post(`${path}${stage.processor}/disable/`);
    const connected = await stage.admin.post(path, {
      provider: 'stripe',
      label: 'New account',
      secret_key: `sk_test_new_${stage.world.slug.replaceAll('-', '_')}`,
      webhook_secret: 'whsec_of_the_new_account',
    });
    expect(connected).toMatchObject({ status: 201 });
    expect(await payOn(first.url)).toBe(true);
    expect(await ends(first.attempt)).toMatchObject({ status: 'succeeded', processor_id: stage.processor });
    const again = await open(second.invoice);
    expect(again).toMatchObject({ status: 201 });
    expect(await attemptOf(second.attempt)).toMatchObject({ status: 'failed', failure_code: 'replaced' });
    expect(await payOn(second.url)).toBe(false);
    expect(await attemptOf(again.body.attempt)).toMatchObject({ processor_id: connected.body.id });
    expect((await open(first.invoice)).body).toMatchObject({ code: 'invoice_not_payable' });
  });

  test('a hosted page that is paid just before its expiry is recorded although its event comes later', async () => {
    const { invoice, attempt, url } = await aPage();
    await stage.platform.fault({ kind: 'delay_events', delay_ms: 3_000, invoice_id: invoice });
    expect(await payOn(url)).toBe(true);
    await dayPasses(attempt);
    expect(await open(invoice)).toMatchObject({ body: { code: 'invoice_not_payable' } });
    expect(await attemptsOf(invoice)).toEqual([{ status: 'succeeded', failure_code: null }]);
    await eventually(
      () => asOwner('SELECT outcome FROM webhook_events WHERE processor_id = $1', [stage.processor]),
      ([event]) => event?.['outcome'] === 'applied',
    );
    expect(await captures()).toEqual([{ amount_cents: DUE }]);
    expect(await unexpected(invoice)).toEqual([]);
  });
});

test('simultaneous clicks open one hosted page', async () => {
  const invoice = await dues();
  const clicks = await Promise.all([open(invoice), open(invoice), open(invoice)]);
  expect(clicks.map(({ status }) => status)).toEqual([201, 201, 201]);
  expect(new Set(clicks.map(({ body }) => body.url)).size).toBe(1);
  expect(await sessions()).toHaveLength(1);
});

test("a member who was transferred pays the former chapter's invoice, and the payment belongs to that chapter", async () => {
  const invoice = await dues();
  const move = (more: object) =>
    stage.admin.post(`/api/memberships/${stage.world.member.membershipId}/transfer/`, {
      to_chapter: stage.world.otherChapterId,
      ...more,
    });
  const { preview_hash } = (await move({ dry_run: true })).body;
  const moved = await move({ preview_hash });
  expect([moved.status, moved.body.chapter]).toEqual([201, stage.world.otherChapterId]);
  const own = await stage.member.get(`/api/invoices/${invoice}/`);
  expect(own.body).toMatchObject({ status: 'open', chapter: stage.world.chapterId, balance_due_cents: DUE });
  const page = await open(invoice);
  expect(page.status).toBe(201);
  expect(await payOn(page.body.url)).toBe(true);
  expect(await ends(page.body.attempt)).toMatchObject({ status: 'succeeded' });
  expect(await invoiceOf(invoice)).toMatchObject({
    status: 'paid',
    chapter_id: stage.world.chapterId,
    membership_id: stage.world.member.membershipId,
  });
});
