/** A dues run of few chapters is one batch: cancelled at any moment before its end, it ends as cancelled. */
import { MockActivityEnvironment } from '@temporalio/testing';
import pg from 'pg';
import { finishDues, issueNextDues } from '../../activities/finances/issueDues.js';
import { createWorkers, type Workers } from '../../activities/worker.js';
import { processId } from '../../api/processes/id.js';
import { temporal } from '../../gateways/temporal/client.js';
import { inTenant } from '../../models/database/tenancy.js';
import { tryCancelDuesRun } from '../../models/finances/dues-runs/cancelDuesRun.js';
import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { lockWaits } from '../support/lockWaits.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { aMember, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let admin: Client;
let stopWorker: (() => Promise<void>) | undefined;

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
});
beforeEach(async () => {
  world = await aWorld();
  admin = platform.client(world.admin);
  await asOwner('INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, $4)', [
    world.organizationId,
    world.termId,
    'undergrad',
    12_500,
  ]);
  for (const chapter of [world.chapterId, world.otherChapterId]) await aMember(world.organizationId, chapter);
});
afterEach(async () => {
  await stopWorker?.();
  stopWorker = undefined;
});
afterAll(() => platform.close());

const runs = () => `/api/hq/dues/${world.organizationId}/runs/`;
const invoices = () =>
  asOwner('SELECT 1 FROM chapter_invoices WHERE dues_run_id IS NOT NULL AND organization_id = $1', [
    world.organizationId,
  ]);

async function aRun() {
  const request = {
    term: world.termId,
    due_date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
  };
  const { preview_hash } = (await admin.post(runs(), { ...request, dry_run: true })).body;
  const { id, workflow_id, invoices_planned } = (await admin.post(runs(), { ...request, preview_hash })).body;
  const process = `/api/processes/${processId(workflow_id)}/`;
  await eventually(
    async () => (await admin.get(process)).body,
    ({ status }) => status === 'running',
  );
  return {
    id: id as string,
    workflowId: workflow_id as string,
    planned: invoices_planned as number,
    input: { organizationId: world.organizationId, duesRunId: id as string },
    read: async () => (await admin.get(`${runs()}${id}/`)).body,
    story: async () => (await admin.get(process)).body,
    cancel: () => admin.post(`${process}cancel/`),
    ended: () =>
      eventually(
        async () => (await admin.get(process)).body,
        ({ status }) => status !== 'running',
      ),
  };
}

async function work(): Promise<void> {
  const workers: Workers = await createWorkers(['bulk']);
  const running = workers.run();
  stopWorker = async () => {
    workers.shutdown();
    await running;
  };
}

test('a dues run that is cancelled while no worker runs is cancelled at once and issues nothing', async () => {
  const run = await aRun();
  expect(await run.cancel()).toMatchObject({ status: 200, body: { outcome: 'cancelling' } });
  expect(await run.read()).toMatchObject({ status: 'cancelled', invoices_issued: 0 });
  // A worker that had already claimed the batch.
  expect(await new MockActivityEnvironment().run(issueNextDues, { ...run.input, after: null })).toBeNull();
  expect(await new MockActivityEnvironment().run(finishDues, run.input)).toBe('cancelled');
  await work();
  expect(await run.ended()).toMatchObject({ status: 'cancelled', stage: 'cancelled' });
  expect(await run.read()).toMatchObject({ status: 'cancelled', invoices_issued: 0, completed_at: null });
  expect(await invoices()).toEqual([]);
});

test('a dues run whose row is cancelled first waits for the cancellation of its process, and issues nothing', async () => {
  const run = await aRun();
  await inTenant(world.organizationId, () => tryCancelDuesRun(run.id));
  await work();
  await eventually(run.story, ({ waiting_for }) => waiting_for?.code === 'time');
  expect(await run.cancel()).toMatchObject({
    status: 200,
    body: { outcome: 'cancelled', process: { status: 'cancelled', stage: 'cancelled' } },
  });
  expect(await invoices()).toEqual([]);
  await recordHistory(run.workflowId, 'issueDues-cancelled-in-rows');
});

test('a dues run that is cancelled while its only batch is being issued ends as cancelled after the batch', async () => {
  const run = await aRun();
  const connection = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await connection.connect();
  await connection.query('BEGIN; LOCK TABLE chapter_invoices IN SHARE MODE');
  await work();
  await eventually(lockWaits, (waits) => waits.length > 0);
  const cancelling = run.cancel();
  await eventually(
    async () => (await temporal().workflow.getHandle(run.workflowId).describe()).raw.workflowExtendedInfo,
    (info) => info?.cancelRequested === true,
  );
  await connection.query('ROLLBACK');
  await connection.end();
  expect(await cancelling).toMatchObject({
    status: 200,
    body: { outcome: 'cancelled', process: { status: 'cancelled', stage: 'cancelled' } },
  });
  expect(await run.read()).toMatchObject({ status: 'cancelled', invoices_issued: run.planned, completed_at: null });
  await recordHistory(run.workflowId, 'issueDues-cancelled-in-its-last-page');
});
