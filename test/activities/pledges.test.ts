/** Each step of the processes of pledges may run again, and a restored backup charges no donor twice. */
import { randomUUID } from 'node:crypto';
import { MockActivityEnvironment } from '@temporalio/testing';
import StripeSdk from 'stripe';
import { lookAtPage, openPage } from '../../activities/finances/hostedPage.js';
import {
  abandonPledgeCharge,
  chargePeriod,
  followPledge,
  forgetPledgeCards,
} from '../../activities/foundation/pledges.js';
import { mailPledgeNotices } from '../../activities/foundation/pledgeNotices.js';
import { closeMail } from '../../activities/mail.js';
import { config } from '../../config.js';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { inTenant } from '../../models/database/tenancy.js';
import { claimCharge } from '../../models/foundation/pledges/claimCharge.js';
import { cancelPledge } from '../../models/foundation/pledges/movePledge.js';
import { startMailServer, stopMailServer } from '../support/accountMail.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { give, giftOf, payGift } from '../support/giving.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { type Platform, startPlatform } from '../support/platform.js';
import { letPeriodBeDue, periodsOf, pledgeOf, pledgeRow } from '../support/pledges.js';
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

/** A pledge whose period 1 is claimed, with the input of its steps. */
async function aClaimedPledge() {
  const { organizationId } = world;
  await give(platform.api.url, foundation, {
    email: `${randomUUID()}@example.org`,
    is_recurring: true,
    recurring_interval: 'monthly',
  });
  const [attempt] = await asOwner<{ id: string; donation_id: string }>(
    'SELECT id, donation_id FROM payment_attempts WHERE organization_id = $1',
    [organizationId],
  );
  const page = { organizationId, attemptId: attempt?.id as string };
  await run(openPage, page);
  const [session] = (await stripe.checkout.sessions.list()).data;
  await payGift(session?.url as string);
  await twice(lookAtPage, page);
  const pledge = await pledgeOf(attempt?.donation_id as string);
  expect(pledge.card_encrypted).not.toBeNull();
  await letPeriodBeDue(pledge.id);
  expect(await twice(followPledge, { organizationId, pledgeId: pledge.id })).toMatchObject([
    { period: 1 },
    { period: 1 },
  ]);
  const input = { organizationId, pledgeId: pledge.id, period: '1' };
  const claim = () => inTenant(organizationId, () => claimCharge(pledge.id, 1));
  const first = await claim();
  expect(await claim()).toEqual(first);
  return { pledge, input: { ...input, attemptId: (first as { attemptId: string }).attemptId } };
}

const captured = async () =>
  (await stripe.paymentIntents.list({ limit: 100 })).data.filter(({ status }) => status === 'succeeded');

test('a period is charged once, whichever step runs again', async () => {
  const { pledge, input } = await aClaimedPledge();
  expect(await twice(chargePeriod, input)).toEqual([{ over: 'paid' }, { over: 'paid' }]);
  expect(await captured()).toHaveLength(2);
  const [period] = await periodsOf(pledge.id);
  expect(period).toMatchObject({ status: 'paid', gift: 'completed' });
  const [charge] = (await stripe.charges.list()).data;
  const gift = await giftOf(period?.['donation_id'] as string);
  expect((gift['charged_at'] as Date).getTime()).toBe((charge?.created as number) * 1000);
  expect(await run(chargePeriod, input)).toEqual({ over: 'paid' });
});

test.each(['create', 'confirm'])(
  'a period is charged once if the answer to its request to %s is lost',
  async (operation) => {
    const { pledge, input } = await aClaimedPledge();
    // The provider's library repeats a request once when the connection breaks.
    await platform.fault({ kind: 'drop_after_capture', operation, times: 2 });
    await expect(run(chargePeriod, input)).rejects.toThrow();
    expect(await run(chargePeriod, input, 2)).toEqual({ over: 'paid' });
    expect(await captured()).toHaveLength(2);
    expect(await periodsOf(pledge.id)).toMatchObject([{ status: 'paid', gift: 'completed' }]);
  },
);

test('a charge that is open when the pledge is cancelled is closed at the provider, and the card is deleted', async () => {
  const { pledge, input } = await aClaimedPledge();
  await platform.fault({ kind: 'hold_after_capture', operation: 'create' });
  const charging = run(chargePeriod, input);
  await platform.held();
  await inTenant(world.organizationId, () => cancelPledge(pledge.id, { by: 'donor' }));
  await platform.release();
  expect(await charging).toEqual({ abandon: input.attemptId });
  expect(await run(chargePeriod, input, 2)).toEqual({ abandon: input.attemptId });
  await twice(abandonPledgeCharge, input);
  expect(await captured()).toHaveLength(1);
  expect(await run(chargePeriod, input)).toEqual({ over: 'withdrawn' });
  await twice(forgetPledgeCards, input);
  expect(await pledgeRow(pledge.id)).toMatchObject({ card_encrypted: null, card_forgotten_at: expect.any(Date) });
  expect((await stripe.customers.list()).data).toEqual([]);
});

test('a charge that the rows of a restored backup do not know is recorded, and not repeated', async () => {
  const { pledge, input } = await aClaimedPledge();
  // The charge that the platform made after the backup, as the provider has it.
  const intent = await stripe.paymentIntents.create({
    amount: 5_000,
    currency: 'usd',
    confirm: true,
    payment_method: 'pm_card_visa',
    metadata: { pledge_id: pledge.id, organization_id: world.organizationId, processor_id: foundation.processorId },
  });
  expect(await twice(chargePeriod, input)).toEqual([{ over: 'paid' }, { over: 'paid' }]);
  expect((await captured()).map(({ id }) => id)).toContain(intent.id);
  expect(await captured()).toHaveLength(2);
  expect(await periodsOf(pledge.id)).toMatchObject([{ status: 'paid', gift: 'completed' }]);
  expect(await asOwner(`SELECT disposition FROM processor_captures WHERE intent_id = $1`, [intent.id])).toEqual([
    { disposition: 'recorded' },
  ]);
});

test('a mail is sent once; while no server accepts it, charges go on and it is sent later', async () => {
  const { pledge } = await aClaimedPledge();
  const input = { organizationId: world.organizationId, pledgeId: pledge.id };
  const { SMTP_URL } = config;
  config.SMTP_URL = 'smtp://127.0.0.1:1';
  expect(await run(mailPledgeNotices, input)).toBeGreaterThan(0);
  config.SMTP_URL = SMTP_URL;
  const catcher = await startMailServer();
  closeMail();
  expect(await twice(mailPledgeNotices, input)).toEqual([null, null]);
  expect(catcher.mails.list().filter(({ subject }) => subject.includes('has started'))).toHaveLength(1);
  await stopMailServer(catcher);
});
