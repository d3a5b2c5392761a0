/** After random failures of steps, the list of stuck processes equals what Temporal reports; after recovery it is empty. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describeLatest } from '../../gateways/temporal/processes/describe.js';
import { listAllExecutions } from '../../gateways/temporal/processes/list.js';
import { visibilityQuery } from '../../gateways/temporal/processes/query.js';
import { stuckReason } from '../../services/processes/stuck.js';
import { payRemittance } from '../../workflows/contracts/index.js';
import type { Client } from '../support/api.js';
import { checkIncidents, incidentsOf } from '../support/incidents.js';
import { aProcessor, eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';
import { casesOf, SEED } from '../support/seed.js';
import { aDraft, pay, settles } from '../support/stack/stories.js';
import { aWorld, type World } from '../support/world.js';

let platform: Platform;
let worker: ChildProcess;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  worker = spawnPart('worker', platform.gateway);
});
afterAll(async () => {
  worker.kill('SIGKILL');
  await platform.close();
});

/** Kills the worker, which may be in the middle of a step, and starts another. */
async function replaceWorker(): Promise<void> {
  worker.kill('SIGKILL');
  await once(worker, 'exit');
  worker = spawnPart('worker', platform.gateway);
}

/** The stuck processes of the world, each with the reason, as Temporal reports them. */
async function stuckInTemporal({ organizationId }: World): Promise<Record<string, string>> {
  const query = visibilityQuery({ organizationId, kind: payRemittance.kind, status: 'running' });
  const running = await listAllExecutions(query);
  const current = await describeLatest(running.map(({ workflowId }) => workflowId));
  const reasons = [...current].map(([id, execution]) => [id, stuckReason(payRemittance, execution)] as const);
  return Object.fromEntries(reasons.filter(([, reason]) => reason !== null)) as Record<string, string>;
}

const onRecord = async ({ organizationId }: World): Promise<Record<string, string>> =>
  Object.fromEntries((await incidentsOf(organizationId)).map(({ workflow_id, reason }) => [workflow_id, reason]));

/** Compares both lists until they are equal: a step may fail between the two reads. */
async function expectEqualLists(world: World): Promise<number> {
  const [recorded, reported] = await eventually(
    async () => {
      await checkIncidents();
      return [await onRecord(world), await stuckInTemporal(world)] as const;
    },
    ([left, right]) => isDeepStrictEqual(left, right),
    60,
  );
  expect(recorded).toEqual(reported);
  return Object.keys(recorded).length;
}

/** How many requests of each payment the gateway drops, and when the worker dies (seconds after the payments began). */
const failures = fc.record({
  drops: fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 4, maxLength: 8 }),
  deaths: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 2 }),
});

const waitSeconds = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

test('the list of stuck processes equals what Temporal reports, and is empty after recovery', async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(failures, async ({ drops, deaths }) => {
      const world = await aWorld({ members: 1 });
      await aProcessor(world);
      const officer: Client = platform.client(world.officer);
      const drafts: string[] = [];
      for (const times of [...drops, 1_000]) {
        const draft = await aDraft(world, officer);
        if (times > 0) await platform.fault({ kind: 'drop_before_capture', times, remittance_id: draft });
        drafts.push(draft);
      }
      const paying = drafts.map((draft) => pay(officer, draft));
      for (const seconds of deaths) {
        await waitSeconds(seconds);
        await replaceWorker();
      }
      // The last payment fails until the end. Its worker records it, without the check.
      await eventually(
        () => onRecord(world),
        (recorded) => Object.keys(recorded).length > 0,
        90,
      );
      found += await expectEqualLists(world);

      await platform.clearFaults();
      await Promise.all(paying);
      for (const { workflow_id } of await incidentsOf(world.organizationId))
        await platform
          .client(world.admin)
          .post(`/api/processes/${Buffer.from(workflow_id).toString('base64url')}/retry/`);
      for (const draft of drafts) await settles(officer, draft);
      await checkIncidents();
      expect(await onRecord(world)).toEqual({});
    }),
    { seed: SEED, numRuns: casesOf({ test: 1, release: 3 }), endOnFailure: true },
  );
  expect(found).toBeGreaterThan(0);
});
