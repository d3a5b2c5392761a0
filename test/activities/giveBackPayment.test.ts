import { MockActivityEnvironment } from '@temporalio/testing';
import StripeSdk from 'stripe';
import { giveBack } from '../../activities/finances/refundUnmatchedPayment.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { inTenant } from '../../models/database/tenancy.js';
import { refundCapture } from '../../models/finances/captures/refundCapture.js';
import { refundUnmatched } from '../../models/finances/captures/resolveUnmatched.js';
import type { RefundUnmatchedPaymentInput } from '../../workflows/contracts/refundUnmatchedPayment.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { aProcessor, type Platform, startPlatform } from '../support/platform.js';
import { accountKeyOf } from '../support/walk/outsider.js';
import { aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let processor: string;
let stripe: StripeSdk;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
});
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  processor = await aProcessor(world);
  const address = stripeAddress(platform.gateway.url);
  stripe = new StripeSdk(accountKeyOf(processor), { ...address, maxNetworkRetries: 0, telemetry: false });
});
afterEach(async () => {
  await platform.clearFaults();
  await expectSoundLedger();
});
afterAll(() => platform.close());

/** A refund that was requested and whose workflow has not started. */
async function aRefund(paymentMethod = 'pm_card_visa'): Promise<RefundUnmatchedPaymentInput & { intentId: string }> {
  const { organizationId, admin } = world;
  const { id: intentId } = await stripe.paymentIntents.create({
    amount: 5_000,
    currency: 'usd',
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    payment_method: paymentMethod,
    confirm: true,
  });
  const [capture] = await asOwner<{ id: string }>(
    `INSERT INTO processor_captures (organization_id, processor_id, intent_id, amount_cents, disposition)
     VALUES ($1, $2, $3, 5000, 'flagged') RETURNING id`,
    [organizationId, processor, intentId],
  );
  const captureId = capture?.id ?? '';
  const origin = { userId: admin.userId, requestId: null, ipAddress: null };
  await inTenant(organizationId, () => refundUnmatched('dues', captureId, 'Test'), { origin });
  const [resolution] = await asOwner<{ id: string }>('SELECT id FROM capture_resolutions WHERE capture_id = $1', [
    captureId,
  ]);
  return { organizationId, captureId, resolutionId: resolution?.id ?? '', intentId };
}

const run = (input: RefundUnmatchedPaymentInput, attempt = 1) =>
  new MockActivityEnvironment({ attempt }).run(giveBack, input);
const refunds = async (intentId: string) => (await stripe.refunds.list({ payment_intent: intentId })).data;
const rowOf = async ({ resolutionId, captureId }: RefundUnmatchedPaymentInput) =>
  (
    await asOwner(
      `SELECT r.status, r.gateway_refund_id, c.disposition, c.refunded_cents::int AS refunded FROM capture_resolutions r
         JOIN processor_captures c ON c.id = r.capture_id WHERE r.id = $1 AND c.id = $2`,
      [resolutionId, captureId],
    )
  )[0];

test('a refund is made once, even if its step runs again', async () => {
  const input = await aRefund();
  expect([await run(input), await run(input, 2)]).toEqual(['refunded', 'refunded']);
  const [refund, ...more] = await refunds(input.intentId);
  expect(more).toEqual([]);
  expect(await rowOf(input)).toEqual({
    status: 'done',
    gateway_refund_id: refund?.id,
    disposition: 'resolved',
    refunded: 5_000,
  });
});

test('a refund that an earlier attempt made without getting the answer is found', async () => {
  const input = await aRefund();
  await platform.fault({ kind: 'drop_after_capture', operation: 'refund', times: 2 });
  await expect(run(input)).rejects.toMatchObject({ name: 'OutcomeUnknown' });
  await platform.clearFaults();
  expect(await run(input, 9)).toBe('refunded');
  expect(await refunds(input.intentId)).toHaveLength(1);
});

test('the event of a refund may arrive before its step is done', async () => {
  const input = await aRefund();
  await inTenant(world.organizationId, () => refundCapture(processor, input.intentId, 5_000));
  expect(await rowOf(input)).toMatchObject({ status: 'pending', disposition: 'flagged' });
  expect(await run(input)).toBe('refunded');
  expect(await rowOf(input)).toMatchObject({ status: 'done', refunded: 5_000 });
});

test('money that was refunded at the provider is not refunded again', async () => {
  const input = await aRefund();
  await stripe.refunds.create({ payment_intent: input.intentId, amount: 2_000 });
  expect([await run(input), await run(input, 2)]).toEqual(['refused', 'refused']);
  expect((await refunds(input.intentId)).map(({ amount }) => amount)).toEqual([2_000]);
  expect(await rowOf(input)).toMatchObject({ status: 'failed', disposition: 'flagged' });
});

const mails = async () =>
  (
    await asOwner<{ count: number }>(
      `SELECT count(*)::int AS count FROM account_notices WHERE kind = 'payment_refund_failed' AND user_id = $1`,
      [world.admin.userId],
    )
  )[0]?.count;

test('a refund that is pending at the bank stays pending after its event and is open again when it fails', async () => {
  const input = await aRefund('pm_card_pendingRefund');
  expect(await run(input)).toBe('pending');
  await inTenant(world.organizationId, () => refundCapture(processor, input.intentId, 5_000));
  expect(await rowOf(input)).toMatchObject({ status: 'pending', disposition: 'flagged' });
  await expectSoundLedger();
  const [refund] = await refunds(input.intentId);
  await platform.concludeRefund({ refund: refund?.id ?? '', status: 'failed' });
  expect([await run(input), await run(input, 2)]).toEqual(['refused', 'refused']);
  expect(await rowOf(input)).toEqual({
    status: 'failed',
    gateway_refund_id: refund?.id,
    disposition: 'flagged',
    refunded: 0,
  });
  expect(await mails()).toBe(1);
  // A later report about this refund is not accepted.
  await expect(
    inTenant(world.organizationId, () => refundCapture(processor, input.intentId, 5_000)),
  ).rejects.toMatchObject({ name: 'RefundsChanged' });
});

test('a refund that is pending at the bank is done when it arrives', async () => {
  const input = await aRefund('pm_card_pendingRefund');
  expect(await run(input)).toBe('pending');
  const [refund] = await refunds(input.intentId);
  await platform.concludeRefund({ refund: refund?.id ?? '', status: 'succeeded' });
  expect(await run(input, 2)).toBe('refunded');
  expect(await rowOf(input)).toMatchObject({ status: 'done', disposition: 'resolved', refunded: 5_000 });
  expect(await mails()).toBe(0);
});
