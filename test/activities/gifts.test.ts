/** Each step of the page and the refund of a gift may run again. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import StripeSdk from 'stripe';
import { lookAtPage, openPage } from '../../activities/finances/hostedPage.js';
import { giveBack } from '../../activities/finances/refundUnmatchedPayment.js';
import { config } from '../../config.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { inTenant } from '../../models/database/tenancy.js';
import { refundGift } from '../../models/foundation/donations/refundGift.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { give, giftOf, payGift } from '../support/giving.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { type Platform, startPlatform } from '../support/platform.js';
import { aWorld, type World } from '../support/world.js';

config.PAY_WAIT_SECONDS = 0.01;

let platform: Platform;
let world: World;
let foundation: Foundation;
let stripe: StripeSdk;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
});
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
  const address = stripeAddress(platform.gateway.url);
  stripe = new StripeSdk(foundation.secretKey, { ...address, maxNetworkRetries: 0, telemetry: false });
  // Only the steps learn what happens at the provider.
  await platform.fault({ kind: 'delay_events', delay_ms: 600_000 });
});
afterEach(async () => {
  await platform.clearFaults();
  await expectSoundLedger();
});
afterAll(() => platform.close());

const run = <Input, T>(step: (input: Input) => Promise<T>, input: Input, attempt = 1): Promise<T> =>
  new MockActivityEnvironment({ attempt }).run(step as never, input as never);
const twice = async <Input, T>(step: (input: Input) => Promise<T>, input: Input): Promise<[T, T]> => [
  await run(step, input, 1),
  await run(step, input, 2),
];

/** A gift whose page is open. */
async function anOpenGift() {
  expect((await give(platform.api.url, foundation, { email: `${randomUUID()}@example.org` })).status).toBe(503);
  const [attempt] = await asOwner<{ id: string; donation_id: string }>(
    'SELECT id, donation_id FROM payment_attempts WHERE organization_id = $1',
    [world.organizationId],
  );
  const input = { organizationId: world.organizationId, attemptId: attempt?.id as string };
  await twice(openPage, input);
  const sessions = (await stripe.checkout.sessions.list()).data;
  expect(sessions).toHaveLength(1);
  return { input, donation: attempt?.donation_id as string, url: sessions[0]?.url as string };
}

test('a look at a paid page completes the gift once, at the time of the charge', async () => {
  const { input, donation, url } = await anOpenGift();
  expect(await run(lookAtPage, input)).toMatchObject({ ended: null });
  await payGift(url);
  expect(await twice(lookAtPage, input)).toMatchObject([{ ended: 'paid' }, { ended: 'paid' }]);
  const gift = await giftOf(donation);
  expect(gift).toMatchObject({ status: 'completed', entries: [['received', 5_000]] });
  const [charge] = (await stripe.charges.list()).data;
  expect((gift['charged_at'] as Date).getTime()).toBe((charge?.created as number) * 1000);
});

test('a look at an expired page fails the gift, and forgets its network', async () => {
  const { input, donation } = await anOpenGift();
  const [session] = (await stripe.checkout.sessions.list()).data;
  await stripe.checkout.sessions.expire(session?.id as string);
  expect(await twice(lookAtPage, input)).toMatchObject([{ ended: 'closed' }, { ended: 'closed' }]);
  expect(await giftOf(donation)).toMatchObject({ status: 'failed', failure_code: 'expired', keeps_network: false });
});

test('a refund is made once, even if its step runs again', async () => {
  const { input, donation, url } = await anOpenGift();
  await payGift(url);
  await run(lookAtPage, input);
  const origin = { userId: foundation.admin.userId, requestId: null, ipAddress: null };
  const { id: resolutionId } = await inTenant(world.organizationId, () => refundGift(donation, { reason: 'Test' }), {
    origin,
  });
  const refund = { organizationId: world.organizationId, captureId: '', resolutionId };
  expect(await twice(giveBack, refund)).toEqual(['refunded', 'refunded']);
  expect(await giftOf(donation)).toMatchObject({
    status: 'refunded',
    entries: [
      ['received', 5_000],
      ['returned', 5_000],
    ],
  });
  expect((await stripe.refunds.list()).data).toHaveLength(1);
});
