/** A rollover of more members than one batch, with workers that are killed during it: each line is applied and reverted once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { processId } from '../../api/processes/id.js';
import { temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';

const MEMBERS = 1_100;
const stage = apiWorld();
const workers: ChildProcess[] = [];
let holder: pg.Client;

beforeAll(async () => {
  await registerSearchAttributes();
  holder = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await holder.connect();
  await asOwner(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'graduate-' || n || '@example.org', 'A', 'B' FROM generate_series(1, $3) n RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id, graduation_year)
     SELECT $1, id, $2, 2027 FROM people`,
    [stage.world.organizationId, stage.world.chapterId, MEMBERS],
  );
});
afterAll(async () => {
  await endWorkers();
  await holder.end();
});

function startWorker(): ChildProcess {
  const worker = spawn(process.execPath, [path.resolve('dist/bin/worker.js')], {
    env: { ...process.env, RELAY_SWEEP_SECONDS: '1' },
    stdio: 'ignore',
  });
  workers.push(worker);
  return worker;
}

async function endWorkers(): Promise<void> {
  for (const worker of workers.splice(0)) {
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
}

/** Keeps the second batch from ending until it is released. */
async function holdSecondPage(id: string): Promise<void> {
  await holder.query('BEGIN');
  await holder.query(
    `SELECT FROM memberships m
      WHERE m.id = (SELECT membership_id FROM rollover_lines WHERE rollover_id = $1 ORDER BY id OFFSET 700 LIMIT 1) FOR UPDATE`,
    [id],
  );
}
const letGo = () => holder.query('ROLLBACK');
/** A running batch has locked the run. */
const untilSecondPage = (id: string) =>
  eventually(
    () => asOwner('SELECT id FROM rollovers WHERE id = $1 FOR UPDATE SKIP LOCKED', [id]),
    (free) => free.length === 0,
    60,
  );

const rollovers = () => `/api/organizations/${stage.world.organizationId}/rollovers/`;
const rollover = async (id: string) => (await stage.admin.get(`/api/rollovers/${id}/`)).body;
const until = (id: string, holds: (row: Record<string, unknown>) => boolean) =>
  eventually(() => rollover(id), holds, 120);
const story = async (workflowId: string) => (await stage.admin.get(`/api/processes/${processId(workflowId)}/`)).body;

async function confirm(): Promise<string> {
  const request = { academic_year: 2027, through_season: 'SUMMER' };
  const { preview_hash } = (await stage.admin.post(rollovers(), { ...request, dry_run: true })).body;
  return (await stage.admin.post(rollovers(), { ...request, preview_hash })).body.id;
}
const periods = (source: string) =>
  asOwner<{ people: number; periods: number }>(
    `SELECT count(DISTINCT membership_id)::int AS people, count(*)::int AS periods FROM membership_periods WHERE source = $1`,
    [source],
  );

/** Starts a worker, kills it in the second batch, and starts another. */
async function killAmid(id: string, done: 'members_moved' | 'members_returned'): Promise<void> {
  startWorker();
  await until(id, (row) => row[done] === 500);
  await untilSecondPage(id);
  await endWorkers();
  await letGo();
  startWorker();
}

test('a rollover and its revert each change every member once although their worker is killed', async () => {
  const id = await confirm();
  await holdSecondPage(id);
  await killAmid(id, 'members_moved');
  await until(id, ({ status }) => status === 'completed');
  expect(await rollover(id)).toMatchObject({ members_planned: MEMBERS, members_moved: MEMBERS, members_skipped: 0 });
  expect(await periods('rollover')).toEqual([{ people: MEMBERS, periods: MEMBERS }]);
  const moved = `rollover/${id}`;
  await temporal().workflow.getHandle(moved).result();
  expect(await story(moved)).toMatchObject({ kind: 'rollover', status: 'completed', money_moved: 'no' });
  await recordHistory(moved, 'rollOver-moved');

  await endWorkers();
  await holdSecondPage(id);
  expect((await stage.admin.post(`/api/rollovers/${id}/revert/`)).status).toBe(202);
  await killAmid(id, 'members_returned');
  await until(id, ({ status }) => status === 'reverted');
  expect(await rollover(id)).toMatchObject({ members_returned: MEMBERS, members_kept: 0 });
  expect(await periods('rollover_reverted')).toEqual([{ people: MEMBERS, periods: MEMBERS }]);
  const reverted = `rollover-revert/${id}`;
  await temporal().workflow.getHandle(reverted).result();
  await recordHistory(reverted, 'revertRollover-reverted');
}, 400_000);

test('a rollover that is cancelled between batches ends there and does not continue', async () => {
  await endWorkers();
  const id = await confirm();
  const workflowId = `rollover/${id}`;
  await holdSecondPage(id);
  startWorker();
  await until(id, ({ members_moved }) => members_moved === 500);
  await untilSecondPage(id);
  const cancelled = stage.admin.post(`/api/processes/${processId(workflowId)}/cancel/`);
  await eventually(
    () => temporal().workflow.getHandle(workflowId).fetchHistory(),
    ({ events }) => (events ?? []).some((event) => event.workflowExecutionCancelRequestedEventAttributes != null),
  );
  await letGo();
  expect((await cancelled).status).toBeLessThan(300);
  await until(id, ({ status }) => status === 'cancelled');
  expect(await story(workflowId)).toMatchObject({ status: 'cancelled' });
  // The running batch was completed.
  expect(await rollover(id)).toMatchObject({ members_planned: MEMBERS, members_moved: 1_000 });
  await recordHistory(workflowId, 'rollOver-cancelled');
});
