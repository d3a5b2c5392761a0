import StripeSdk from 'stripe';
import { processId } from '../../api/processes/id.js';
import { config } from '../../config.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { Client } from '../support/api.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { give, giftOf, pageProcessOf, payGift } from '../support/giving.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { aPlatform, eventually } from '../support/platform.js';
import { aWorld, type World } from '../support/world.js';

const platform = aPlatform();
let world: World;
let foundation: Foundation;

beforeEach(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
});

const completes = (donation: string) =>
  eventually(
    () => giftOf(donation),
    ({ status }) => status === 'completed',
  );

test('a donor gives: the gift waits for its payment, and is completed by it with its totals', async () => {
  const { status, body } = await give(platform.api.url, foundation);
  expect({ status, body }).toEqual({
    status: 201,
    body: {
      donation_id: expect.any(String),
      status: 'pending',
      amount_cents: 5_000,
      fee_cents: 175,
      net_cents: 4_825,
      checkout_url: expect.stringMatching(/^http/),
      expires_at: expect.any(String),
    },
  });
  const donation = body.donation_id;
  expect(await giftOf(donation)).toMatchObject({ status: 'pending', keeps_network: true, raised_cents: 0 });
  expect(await payGift(body.checkout_url)).toBe(`${config.givingUrl}/donation-success/?donation_id=${donation}`);
  expect(await completes(donation)).toMatchObject({
    status: 'completed',
    tax_year: new Date().getUTCFullYear(),
    keeps_network: false,
    entries: [['received', 5_000]],
    donor_cents: 5_000,
    gift_count: 1,
    raised_cents: 5_000,
    fund_cents: 5_000,
  });
  expect((await new Client(platform.api.url).get(`/api/foundation/public/donations/${donation}/`)).body).toMatchObject({
    id: donation,
    status: 'completed',
    amount_cents: 5_000,
    campaign: { slug: foundation.slug, title: 'Spring appeal' },
  });
  await recordHistory(await pageProcessOf(donation), 'donationPage-paid');
});

/** A paid gift. */
async function aCompletedGift(more: Record<string, unknown> = {}): Promise<string> {
  const { body } = await give(platform.api.url, foundation, more);
  await payGift(body.checkout_url);
  await completes(body.donation_id);
  return body.donation_id;
}

const admin = () => platform.client(foundation.admin);
const refund = (donation: string) =>
  admin().post(`/api/foundation/donations/${donation}/refund/`, { reason: 'The donor asked for it.' });
const becomes = (donation: string, expected: Record<string, unknown>) =>
  eventually(
    () => giftOf(donation),
    (gift) => Object.entries(expected).every(([name, value]) => gift[name] === value),
  );
const stripe = () =>
  new StripeSdk(foundation.secretKey, {
    ...stripeAddress(platform.gateway.url),
    maxNetworkRetries: 0,
    telemetry: false,
  });

test('ten gifts at once with one key are one gift with one page, and get equal answers', async () => {
  const body = { email: 'ten@example.org', idempotency_key: 'one-of-ten' };
  const answers = await Promise.all(Array.from({ length: 10 }, () => give(platform.api.url, foundation, body)));
  const [first] = answers;
  expect(first?.status).toBe(201);
  for (const answer of answers) expect(answer).toMatchObject({ status: 201, body: first?.body });
  expect((await stripe().checkout.sessions.list({ limit: 100 })).data).toHaveLength(1);
});

test('while the provider is away the answer is 503, and the same key finds the page later', async () => {
  await platform.fault({ kind: 'error_before_capture', operation: 'checkout', times: 100 });
  const waits = config.PAY_WAIT_SECONDS;
  config.PAY_WAIT_SECONDS = 1;
  const body = { email: 'patient@example.org', idempotency_key: 'patient' };
  expect(await give(platform.api.url, foundation, body)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  config.PAY_WAIT_SECONDS = waits;
  await platform.clearFaults();
  const { status, body: given } = await give(platform.api.url, foundation, body);
  expect({ status, given }).toMatchObject({
    status: 201,
    given: { status: 'pending', checkout_url: expect.any(String) },
  });
  expect((await stripe().checkout.sessions.list({ limit: 100 })).data).toHaveLength(1);
});

test('a declined card fails the gift, and another card on the same page completes it', async () => {
  const { body } = await give(platform.api.url, foundation);
  await payGift(body.checkout_url, 'pm_card_chargeDeclined');
  expect(await becomes(body.donation_id, { status: 'failed' })).toMatchObject({ keeps_network: true, entries: [] });
  await payGift(body.checkout_url);
  expect(await completes(body.donation_id)).toMatchObject({ failure_code: null, entries: [['received', 5_000]] });
});

test('a paid gift whose event is lost is found when its donor looks', async () => {
  await platform.fault({ kind: 'delay_events', delay_ms: 300_000 });
  const { body } = await give(platform.api.url, foundation);
  await payGift(body.checkout_url);
  const shown = () => new Client(platform.api.url).get(`/api/foundation/public/donations/${body.donation_id}/`);
  await eventually(shown, (answer) => answer.body.status === 'completed');
});

test('a cancelled page can no longer be paid, and its gift fails', async () => {
  const { body } = await give(platform.api.url, foundation);
  const id = processId(await pageProcessOf(body.donation_id));
  expect((await platform.client(world.admin).post(`/api/processes/${id}/cancel/`)).status).toBe(404);
  expect((await platform.client(foundation.editor).get(`/api/processes/${id}/`)).status).toBe(403);
  expect(await admin().get(`/api/processes/${id}/`)).toMatchObject({ status: 200, body: { kind: 'donation_page' } });
  expect((await admin().post(`/api/processes/${id}/cancel/`)).status).toBe(200);
  expect(await becomes(body.donation_id, { status: 'failed' })).toMatchObject({
    failure_code: 'cancelled',
    keeps_network: false,
  });
  await payGift(body.checkout_url);
  expect(await stripe().paymentIntents.list()).toMatchObject({ data: [] });
  await recordHistory(await pageProcessOf(body.donation_id), 'donationPage-cancelled');
});

test('the list of processes shows those of gifts to the admins of the foundation alone', async () => {
  const { body } = await give(platform.api.url, foundation);
  const workflowId = await pageProcessOf(body.donation_id);
  const listed = async (person: { token: string }) =>
    (await platform.client(person).get('/api/processes/')).body.results.map(
      ({ workflow_id }: { workflow_id: string }) => workflow_id,
    );
  await eventually(
    () => listed(foundation.admin),
    (ids) => ids.includes(workflowId),
  );
  expect(await listed(world.admin)).not.toContain(workflowId);
});

test('a refund returns the whole gift once, however often it is requested at once', async () => {
  const donation = await aCompletedGift();
  const answers = await Promise.all(Array.from({ length: 10 }, () => refund(donation)));
  const [done, ...more] = answers.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  expect(done?.body).toMatchObject({
    donation: {
      id: donation,
      status: 'refunded',
      refunded_cents: 5_000,
      entries: [{ kind: 'received' }, { kind: 'returned', amount_cents: 5_000 }],
    },
    refund: { status: 'succeeded', failure_code: null },
  });
  for (const { status, body } of answers)
    if (status !== 201) expect(['refund_in_progress', 'already_refunded']).toContain(body.code);
  expect(await refund(donation)).toMatchObject({ status: 409, body: { code: 'already_refunded' } });
  expect(await giftOf(donation)).toMatchObject({
    fee_cents: 175,
    donor_cents: 0,
    gift_count: 0,
    raised_cents: 0,
    fund_cents: 0,
  });
  expect((await stripe().refunds.list()).data).toHaveLength(1);
  await recordHistory(`donation-refund/${done?.body.refund.id}`, 'donationRefund-refunded');
});

test('a refund that its bank refuses days later can be repeated at once', async () => {
  await platform.hear(foundation.processorId, foundation.secretKey, ['refund.updated', 'refund.failed']);
  const { body } = await give(platform.api.url, foundation);
  await payGift(body.checkout_url, 'pm_card_pendingRefund');
  const donation = body.donation_id as string;
  await completes(donation);
  expect(await refund(donation)).toMatchObject({ status: 201, body: { refund: { status: 'processing' } } });
  expect(await refund(donation)).toMatchObject({ status: 409, body: { code: 'refund_in_progress' } });
  const pending = async () => (await stripe().refunds.list()).data.find(({ status }) => status === 'pending')?.id ?? '';
  await platform.concludeRefund({ refund: await pending(), status: 'failed' });
  await becomes(donation, { status: 'completed', refunded_cents: 0 });
  expect(await refund(donation)).toMatchObject({ status: 201, body: { refund: { status: 'processing' } } });
  await platform.concludeRefund({ refund: await pending(), status: 'succeeded' });
  const resolutions = () =>
    asOwner<{ status: string }>(
      `SELECT r.status FROM capture_resolutions r JOIN processor_captures c ON c.id = r.capture_id
        WHERE c.donation_id = $1 ORDER BY r.id`,
      [donation],
    );
  await eventually(resolutions, (rows) => rows.every(({ status }) => status !== 'pending'));
  expect(await resolutions()).toEqual([{ status: 'failed' }, { status: 'done' }]);
  expect(await becomes(donation, { status: 'refunded' })).toMatchObject({ raised_cents: 0 });
});

test('only admins of the foundation refund, and only what was paid', async () => {
  const { body } = await give(platform.api.url, foundation);
  const path = `/api/foundation/donations/${body.donation_id}/refund/`;
  expect(await refund(body.donation_id)).toMatchObject({ status: 409, body: { code: 'donation_not_refundable' } });
  for (const person of [foundation.editor, world.admin, world.member])
    expect((await platform.client(person).post(path, { reason: 'Because.' })).status).toBe(403);
  const other = await aWorld({ members: 1 });
  const theirs = await aFoundation(other);
  expect((await platform.client(theirs.admin).post(path, { reason: 'Because.' })).status).toBe(404);
});

test('a partial refund at the provider leaves the gift completed, and one that fails later restores it', async () => {
  await platform.hear(foundation.processorId, foundation.secretKey, ['refund.failed']);
  const donation = await aCompletedGift();
  const [intent] = (await stripe().paymentIntents.list()).data;
  const { id } = await stripe().refunds.create({ payment_intent: intent?.id as string, amount: 1_500 });
  expect(await becomes(donation, { refunded_cents: 1_500 })).toMatchObject({
    status: 'completed',
    donor_cents: 3_500,
    gift_count: 1,
    entries: [
      ['received', 5_000],
      ['returned', 1_500],
    ],
  });
  await platform.concludeRefund({ refund: id, status: 'failed' });
  expect(await becomes(donation, { refunded_cents: 0 })).toMatchObject({ donor_cents: 5_000, raised_cents: 5_000 });
  expect(await refund(donation)).toMatchObject({ status: 201, body: { donation: { status: 'refunded' } } });
});

test('a dispute takes the money of a gift, and a won one returns it', async () => {
  await platform.hear(
    foundation.processorId,
    foundation.secretKey,
    ['created', 'funds_withdrawn', 'funds_reinstated', 'closed'].map((one) => `charge.dispute.${one}`),
  );
  const donation = await aCompletedGift();
  const [intent] = (await stripe().paymentIntents.list()).data;
  const bank = async (order: object) =>
    (
      await fetch(`${platform.gateway.controlUrl}/disputes`, { method: 'POST', body: JSON.stringify(order) })
    ).json() as Promise<{ id: string }>;
  const { id } = await bank({ kind: 'dispute_open', payment_intent: intent?.id });
  expect(await becomes(donation, { status: 'refunded' })).toMatchObject({ gift_count: 0, raised_cents: 0 });
  const told = await eventually(
    () =>
      asOwner(
        `SELECT recipient_id, target_url FROM notifications WHERE notification_type = 'dispute_opened' AND organization_id = $1`,
        [world.organizationId],
      ),
    (rows) => rows.length > 0,
  );
  expect(told).toEqual([
    { recipient_id: foundation.admin.userId, target_url: expect.stringContaining(`/foundation/donations/${donation}`) },
  ]);
  // Administrators of the organization see no dispute of a gift among those of dues.
  const disputes = `/api/organizations/${world.organizationId}/disputes/`;
  expect((await platform.client(world.admin).get(disputes)).body.results).toEqual([]);
  const [dispute] = await asOwner<{ id: string }>('SELECT id FROM payment_disputes WHERE gateway_dispute_id = $1', [
    id,
  ]);
  expect((await platform.client(world.admin).get(`${disputes}${dispute?.id}/`)).status).toBe(404);
  await bank({ kind: 'dispute_won', dispute: id });
  expect(await becomes(donation, { status: 'completed' })).toMatchObject({ gift_count: 1, raised_cents: 5_000 });
});

describe('a payment of another amount than its gift', () => {
  const unmatched = '/api/foundation/unmatched-payments/';
  /** A gift under review. @returns its id and that of its payment */
  async function aReviewedGift(amount = 6_000, currency = 'usd') {
    const { body } = await give(platform.api.url, foundation);
    const metadata = {
      organization_id: world.organizationId,
      processor_id: foundation.processorId,
      donation_id: body.donation_id,
    };
    await stripe().paymentIntents.create({
      amount,
      currency,
      metadata,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
      payment_method: 'pm_card_visa',
      confirm: true,
    });
    await becomes(body.donation_id, { under_review: true });
    const { results } = (await admin().get(`${unmatched}?resolved=false`)).body;
    expect(results).toMatchObject([{ donation: body.donation_id, amount_cents: amount, state: 'open' }]);
    return { donation: body.donation_id as string, payment: results[0].id as string };
  }
  const resolve = (payment: string, resolution: string) =>
    admin().post(`${unmatched}${payment}/resolve/`, { resolution, note: 'Checked with the donor.' });

  test('waits under review, its admins are told, and accepted it becomes the amount of the gift', async () => {
    const { donation, payment } = await aReviewedGift();
    expect(await giftOf(donation)).toMatchObject({ status: 'pending', entries: [], raised_cents: 0 });
    expect(
      await asOwner(
        `SELECT recipient_id FROM notifications WHERE notification_type = 'gift_unmatched' AND subject_id = $1`,
        [payment],
      ),
    ).toEqual([{ recipient_id: foundation.admin.userId }]);
    expect((await platform.client(foundation.editor).get(unmatched)).status).toBe(403);
    expect(await resolve(payment, 'accept')).toMatchObject({ status: 200, body: { state: 'accepted' } });
    expect(await giftOf(donation)).toMatchObject({
      status: 'completed',
      amount_cents: 6_000,
      fee_cents: 204,
      raised_cents: 6_000,
      under_review: false,
    });
    expect(await resolve(payment, 'refund')).toMatchObject({ status: 409, body: { code: 'payment_already_resolved' } });
    expect(await refund(donation)).toMatchObject({ status: 201, body: { donation: { status: 'refunded' } } });
  });

  test('is refunded, and its gift fails', async () => {
    const { donation, payment } = await aReviewedGift();
    expect(await resolve(payment, 'refund')).toMatchObject({
      status: 200,
      body: { resolution: { resolution: 'refund' } },
    });
    expect(await becomes(donation, { status: 'failed' })).toMatchObject({ under_review: false, entries: [] });
    expect(await resolve(payment, 'accept')).toMatchObject({ status: 409, body: { code: 'payment_already_resolved' } });
  });

  test('or of another currency cannot be accepted', async () => {
    const { payment } = await aReviewedGift(5_000, 'eur');
    expect(await resolve(payment, 'accept')).toMatchObject({ status: 409, body: { code: 'payment_other_currency' } });
  });

  test('is not among the unmatched payments of dues', async () => {
    await aReviewedGift();
    const dues = `/api/organizations/${world.organizationId}/unmatched-payments/`;
    expect((await platform.client(world.admin).get(dues)).body).toMatchObject({ count: 0 });
  });
});
