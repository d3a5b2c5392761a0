/** An import of more lines than one batch, with workers that are killed during it: each line is imported once. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { temporal } from '../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../gateways/temporal/searchAttributes.js';
import { apiWorld } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually } from '../support/platform.js';

const LINES = 1_100;
const stage = apiWorld();
const workers: ChildProcess[] = [];
let holder: pg.Client;
let id: string;

beforeAll(async () => {
  await registerSearchAttributes();
  holder = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await holder.connect();
  const { organizationId, chapterId } = stage.world;
  const [made] = await asOwner<{ id: string }>(
    `INSERT INTO bulk_imports (organization_id, file_name, stage, mapping, chapter_id, rows_total)
     VALUES ($1, 'roster.csv', 'mapping', '{"email": 0, "first_name": 1, "last_name": 2}', $2, $3) RETURNING id`,
    [organizationId, chapterId, LINES],
  );
  id = made?.id as string;
  await asOwner(
    `INSERT INTO bulk_import_rows (organization_id, import_id, line, cells)
     SELECT $1, $2, n + 1, jsonb_build_array('imported-' || n || '@example.org', 'A', 'B') FROM generate_series(1, $3) n`,
    [organizationId, id, LINES],
  );
});
afterAll(async () => {
  await endWorkers();
  await holder.end();
});

function startWorker(): void {
  const worker = spawn(process.execPath, [path.resolve('dist/bin/worker.js')], {
    env: { ...process.env, RELAY_SWEEP_SECONDS: '1' },
    stdio: 'ignore',
  });
  workers.push(worker);
}

async function endWorkers(): Promise<void> {
  for (const worker of workers.splice(0)) {
    worker.kill('SIGKILL');
    if (worker.exitCode === null && worker.signalCode === null) await once(worker, 'exit');
  }
}

const address = () => `/api/imports/${id}/`;
const until = (holds: (row: Record<string, unknown>) => boolean) =>
  eventually(async () => (await stage.admin.get(address())).body, holds, 60);

test('an import whose worker is killed imports each line once', async () => {
  startWorker();
  expect((await stage.admin.post(`${address()}preview/`)).status).toBe(202);
  const { preview_hash, rows_create } = await until(({ step }) => step === null);
  expect(rows_create).toBe(LINES);
  await endWorkers();
  await holder.query('BEGIN');
  await holder.query('SELECT FROM bulk_import_rows WHERE import_id = $1 AND line = 700 FOR UPDATE', [id]);
  const confirmed = await stage.admin.post(`${address()}process/`, { preview_hash, on_existing: 'skip' });
  expect(confirmed.status).toBe(202);
  startWorker();
  await until(({ rows_created }) => rows_created === 500);
  await endWorkers();
  await holder.query('ROLLBACK');
  startWorker();
  expect(await until(({ outcome }) => outcome !== null)).toMatchObject({
    outcome: 'completed',
    rows_created: LINES,
    rows_failed: 0,
  });
  const made = await asOwner(
    `SELECT count(*)::int AS periods, count(DISTINCT membership_id)::int AS people FROM membership_periods WHERE source = 'import'`,
  );
  expect(made).toEqual([{ periods: LINES, people: LINES }]);
  const workflowId = `import/${id}/process/2`;
  await temporal().workflow.getHandle(workflowId).result();
  await recordHistory(workflowId, 'importStep-processed');
});
