/** A worker is killed in the middle of a payment: the next worker completes it, and nothing happens twice. */
import { expectSoundLedger } from '../support/ledger.js';
import { type Platform, startPlatform } from '../support/platform.js';
import { workerDies } from '../support/workerDies.js';
import { aWorld, type World } from '../support/world.js';
import { killedPayments } from './workerDiesPayments.support.js';

const platform = {} as Platform;
const world = {} as World;

beforeAll(async () => {
  Object.assign(platform, await startPlatform({ worker: 'none' }));
  Object.assign(world, await aWorld({ members: 3 }));
});
afterEach(expectSoundLedger);
afterAll(async () => {
  await platform.close();
});

workerDies(killedPayments({ platform, world }), () => ({
  STRIPE_API_URL: platform.gateway.url,
  STRIPE_TIMEOUT_SECONDS: '2',
}));
