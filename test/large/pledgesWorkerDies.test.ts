/**
 * 50 pledges are cancelled while they are charged, and the worker is killed twice meanwhile: each period is charged at
 * most once, and no money of a cancelled pledge is kept.
 */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import StripeSdk from 'stripe';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { inTenant } from '../../models/database/tenancy.js';
import { keepCard } from '../../models/foundation/pledges/keptCard.js';
import { wakePledge } from '../../models/foundation/pledges/lockPledge.js';
import { cancelPledge } from '../../models/foundation/pledges/movePledge.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { aPaidGift } from '../support/giving.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';
import { letPeriodBeDue, pledgeOf } from '../support/pledges.js';
import { aWorld, type World } from '../support/world.js';

const PLEDGES = 50;

let platform: Platform;
let world: World;
let foundation: Foundation;
let stripe: StripeSdk;
const workers: ChildProcess[] = [];

const startWorker = (): ChildProcess => {
  const worker = spawnPart('worker', platform.gateway);
  workers.push(worker);
  return worker;
};
const kill = async (worker: ChildProcess) => {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
};

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 1 });
  foundation = await aFoundation(world);
  const address = stripeAddress(platform.gateway.url);
  stripe = new StripeSdk(foundation.secretKey, { ...address, maxNetworkRetries: 0, telemetry: false });
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await platform.close();
});

/** A due pledge with a card that the provider keeps. */
async function aDuePledge(n: number): Promise<string> {
  const customer = await stripe.customers.create({ email: `donor-${n}@example.org` });
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const donationId = await aPaidGift(world, foundation, {
    email: `donor-${n}@example.org`,
    is_recurring: true,
    recurring_interval: 'monthly',
  });
  const kept = { donationId, processorId: foundation.processorId, keptCard: `${customer.id}:${method.id}` };
  await inTenant(world.organizationId, () => keepCard(kept));
  const { id } = await pledgeOf(donationId);
  await letPeriodBeDue(id);
  await inTenant(world.organizationId, () => wakePledge(id));
  return id;
}

/** Waits until this many charges are opened. */
const opened = (count: number) =>
  eventually(
    () =>
      asOwner<{ n: number }>(
        `SELECT count(*)::int AS n FROM payment_attempts WHERE pledge_id IS NOT NULL AND intent_id IS NOT NULL`,
      ),
    ([row]) => (row?.n ?? 0) >= count,
    90,
  );

test('50 pledges that are cancelled while they are charged, by workers that are killed, keep no money', async () => {
  const pledges: string[] = [];
  for (let n = 0; n < PLEDGES; n += 1) pledges.push(await aDuePledge(n));
  const first = startWorker();
  await opened(5);
  const cancelling = pledges.map((id) =>
    inTenant(world.organizationId, () => cancelPledge(id, { by: 'donor' })).catch(() => null),
  );
  await kill(first);
  const answers = await Promise.all(cancelling);
  expect(answers.filter((answer) => answer !== null)).toHaveLength(PLEDGES);
  const second = startWorker();
  await eventually(
    () => asOwner<{ n: number }>(`SELECT count(*)::int AS n FROM recurring_pledges WHERE card_encrypted IS NULL`),
    ([row]) => (row?.n ?? 0) >= PLEDGES / 2,
    90,
  );
  await kill(second);
  startWorker();
  await eventually(
    () =>
      asOwner<{ n: number }>(
        `SELECT (SELECT count(*) FROM recurring_pledges WHERE card_encrypted IS NOT NULL)::int
              + (SELECT count(*) FROM payment_attempts WHERE status = 'pending' AND pledge_id IS NOT NULL)::int
              + (SELECT count(*) FROM pledge_periods p JOIN donations d ON d.id = p.donation_id WHERE p.n > 0 AND d.status = 'completed'
                   AND p.closed_at > (SELECT cancelled_at FROM recurring_pledges g WHERE g.id = p.pledge_id))::int AS n`,
      ),
    ([row]) => row?.n === 0,
    120,
  );
  const intents: StripeSdk.PaymentIntent[] = [];
  for await (const intent of stripe.paymentIntents.list({ limit: 100 })) intents.push(intent);
  const captured = intents.filter(({ status }) => status === 'succeeded');
  const refunds = (await stripe.refunds.list({ limit: 100 })).data;
  for (const [at, id] of pledges.entries()) {
    const charged = captured.filter(({ metadata }) => metadata['pledge_id'] === id);
    expect(charged.length).toBeLessThanOrEqual(1);
    if (charged.length === 0) continue;
    // Charged before the answer, or said to be in flight and returned.
    const returned = refunds.some(({ payment_intent }) => payment_intent === charged[0]?.id);
    if (answers[at]?.charge_in_flight) expect(returned).toBe(true);
    else expect(returned).toBe(false);
  }
  await expectSoundLedger();
}, 400_000);
