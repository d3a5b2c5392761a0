/** The worker process: what it prepares when it starts, and how it stops. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { temporal } from '../../gateways/temporal/client.js';
import { SEARCH_ATTRIBUTES } from '../../workflows/contracts/searchAttributes.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { expectSoundLedger } from '../support/ledger.js';
import { aProcessor, eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';
import { anInvoice, aWorld } from '../support/world.js';

let platform: Platform;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await platform.close();
});

const aWorker = (): ChildProcess => {
  const worker = spawnPart('worker', platform.gateway);
  workers.push(worker);
  return worker;
};

test('a worker that is stopped finishes its current step, and no step is tried twice', async () => {
  const world = await aWorld({ members: 1 });
  await aProcessor(world);
  const officer = platform.client(world.officer);
  const { chapterId, member } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId });
  const allocations = [{ invoice, amount_cents: 10_000 }];
  const { body } = await officer.post('/api/billing/remittances/', { chapter: chapterId, allocations });

  const leaving = aWorker();
  await platform.fault({ kind: 'hold_after_capture', remittance_id: body.id });
  const paying = officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
  await eventually(
    () => platform.moved(body.id),
    (moved) => moved.length === 1,
    60,
  );
  leaving.kill('SIGTERM');
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(leaving.exitCode).toBeNull();
  await platform.release();
  const [code] = (await once(leaving, 'exit')) as [number | null];
  expect(code).toBe(0);

  const { attempts } = (await officer.get(`/api/billing/remittances/${body.id}/`)).body;
  const handle = temporal().workflow.getHandle(attempts[0].workflow_id);
  const finished = ((await handle.fetchHistory()).events ?? []).filter(
    (event) => event.activityTaskCompletedEventAttributes,
  );
  expect(finished).toHaveLength(2);

  aWorker();
  await handle.result();
  const { events } = await handle.fetchHistory();
  const tries = (events ?? []).flatMap(({ activityTaskStartedEventAttributes: start }) => start?.attempt ?? []);
  // The third step is done within the workflow task of its process.
  expect(tries).toEqual([1, 1]);
  await paying;
  await expectSoundLedger();
});

test('a worker registers the search attributes and updates the schedules wherever it starts', async () => {
  const namespace = `worker-${randomBytes(5).toString('hex')}`;
  const { workflowService, operatorService } = temporal().connection;
  await workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: { seconds: 86_400 as never },
  });
  const worker = spawn(process.execPath, [path.resolve('dist/bin/worker.js')], {
    env: { ...process.env, TEMPORAL_NAMESPACE: namespace },
    stdio: 'ignore',
  });
  workers.push(worker);
  const registered = await eventually(
    async () => {
      try {
        return Object.keys((await operatorService.listSearchAttributes({ namespace })).customAttributes);
      } catch {
        // The server takes a moment to know its own namespace.
        return [];
      }
    },
    (names) => names.length >= SEARCH_ATTRIBUTES.length,
    60,
  );
  expect(registered).toEqual(expect.arrayContaining(SEARCH_ATTRIBUTES.map(({ name }) => name)));
  const { schedules } = await eventually(
    () => workflowService.listSchedules({ namespace, maximumPageSize: 100 }),
    (list) => list.schedules.length >= SCHEDULES.length,
    60,
  );
  const ids = schedules.map(({ scheduleId }) => scheduleId?.split('.').at(-1) ?? '');
  expect(ids.toSorted()).toEqual(SCHEDULES.map(({ id }) => id).toSorted());
});
