/**
 * Random walks over the real platform: API and worker are processes, the gateway is behind its protocol. PROPERTY_SEED=<seed>
 * repeats the same steps, PROPERTY_PATH=<path> the shrunk ones; simultaneous steps may happen in another order.
 */
import fc from 'fast-check';
import { sequelize } from '../../models/database/connection.js';
import { closeTemporal } from '../../gateways/temporal/client.js';
import { closeOwner } from '../support/owner.js';
import { expectQuietBooks, expectSoundBooks } from '../support/walk/books.js';
import { deploy, type Deployment } from '../support/walk/deployment.js';
import { casesOf, SEED } from '../support/seed.js';
import { type Step, step } from '../support/walk/steps.js';
import { Walker } from '../support/walk/walker.js';
import { Walks } from '../support/walk/walks.js';

/** Each walk takes at least 52 steps and checks the ledger after each. The release tier takes four walks. */
const WALKS = casesOf({ test: 1, release: 4 });
const STEPS = new Walks(step, 52, 60);
/** Time limit of all walks, including the shrinking of a failing one; a busy machine needs several times the usual two minutes. */
const SHRINK_MS = 900_000;

const path = process.env['PROPERTY_PATH'];

let deployment: Deployment;

beforeAll(async () => {
  deployment = await deploy();
});

afterAll(async () => {
  await deployment.close();
  await closeTemporal();
  await sequelize.close();
  await closeOwner();
});

/** Invoices to pay, so that no walk begins with steps that find nothing. */
const BEGINNING: Step[] = [
  { do: 'bill', pick: 0, cents: 1_000 },
  { do: 'bill', pick: 1, cents: 2_500 },
  { do: 'gather', pick: 0, many: 2 },
];

test(
  'no cent is lost after any step of payments, credit, discounts, voids, resolutions, refunds, events and restarts in any order',
  async () => {
    let stepsTaken = 0;
    const walk = async (steps: Step[]): Promise<void> => {
      const walker = await Walker.begin(deployment);
      for (const next of [...BEGINNING, ...steps]) {
        await walker.take(next);
        await expectSoundBooks(deployment, walker.world.organizationId, walker.outsider.invoiceCharges);
        stepsTaken += 1;
      }
      await expectQuietBooks(deployment, walker.world.organizationId, walker.outsider.invoiceCharges);
    };
    const started = Date.now();
    try {
      await fc.assert(fc.asyncProperty(STEPS, walk), {
        seed: SEED,
        numRuns: WALKS,
        ...(path === undefined ? {} : { path }),
        interruptAfterTimeLimit: SHRINK_MS,
      });
    } finally {
      const seconds = Math.round((Date.now() - started) / 1000);
      process.stderr.write(`Walked ${stepsTaken} steps in ${seconds} s; PROPERTY_SEED=${SEED} walks them again.\n`);
    }
    if (path === undefined) expect(stepsTaken).toBeGreaterThanOrEqual(WALKS * 50);
  },
  SHRINK_MS + 60_000,
);
