/** A worker is killed while it opens the page of a gift, and while it refunds one: each happens once. */
import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import StripeSdk from 'stripe';
import { stripeAddress } from '../../gateways/payments/stripe.js';
import { aFoundation, type Foundation } from '../support/foundation.js';
import { give, giftOf, payGift } from '../support/giving.js';
import { expectSoundLedger } from '../support/ledger.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';
import { aWorld } from '../support/world.js';

let platform: Platform;
let foundation: Foundation;
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
  foundation = await aFoundation(await aWorld({ members: 1 }));
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await platform.close();
});

test('a gift whose worker is killed while it opens the page, and whose refund outlives another, is charged and refunded once', async () => {
  const stripe = new StripeSdk(foundation.secretKey, {
    ...stripeAddress(platform.gateway.url),
    maxNetworkRetries: 0,
    telemetry: false,
  });
  const body = { email: 'survivor@example.org', idempotency_key: 'survivor' };

  const first = startWorker();
  await platform.fault({ kind: 'hold_after_capture', operation: 'checkout' });
  const giving = give(platform.api.url, foundation, body);
  await platform.held();
  await kill(first);
  await platform.clearFaults();
  expect(await giving).toMatchObject({ status: 503, body: { code: 'unavailable' } });

  const second = startWorker();
  const given = await eventually(
    () => give(platform.api.url, foundation, body),
    ({ status }) => status === 201,
    60,
  );
  expect((await stripe.checkout.sessions.list({ limit: 100 })).data).toHaveLength(1);
  await payGift(given.body.checkout_url);
  const donation = given.body.donation_id as string;
  await eventually(
    () => giftOf(donation),
    ({ status }) => status === 'completed',
    60,
  );

  await platform.fault({ kind: 'hold_after_capture', operation: 'refund' });
  const path = `/api/foundation/donations/${donation}/refund/`;
  const refunding = platform.client(foundation.admin).post(path, { reason: 'The donor asked for it.' });
  await platform.held();
  await kill(second);
  await platform.clearFaults();
  expect(await refunding).toMatchObject({ status: 201, body: { refund: { status: 'processing' } } });

  startWorker();
  await eventually(
    () => asOwner('SELECT status FROM capture_resolutions'),
    ([resolution]) => resolution?.['status'] === 'done',
    60,
  );
  expect(await giftOf(donation)).toMatchObject({ status: 'refunded', donor_cents: 0, raised_cents: 0 });
  expect((await stripe.refunds.list()).data).toHaveLength(1);
  expect((await stripe.paymentIntents.list()).data).toHaveLength(1);
  await expectSoundLedger();
}, 180_000);
