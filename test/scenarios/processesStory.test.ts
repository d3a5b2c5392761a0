import { processId } from '../../api/processes/id.js';
import { startMessage } from '../../gateways/temporal/startProcess.js';
import { dispatchWritten, enqueue } from '../../models/database/outbox.js';
import { inTenant } from '../../models/database/tenancy.js';
import { markOverdue, terminalSettlement } from '../../workflows/contracts/index.js';
import { temporal } from '../../gateways/temporal/client.js';
import type { Client } from '../support/api.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { listProcesses } from '../support/processList.js';
import { aWaitingSettlement } from '../support/settlements.js';
import { countStatements } from '../support/statements.js';
import { aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let admin: Client;

beforeAll(async () => {
  platform = await startPlatform();
});
beforeEach(async () => {
  world = await aWorld({ members: 1 });
  admin = platform.client(world.admin);
});
afterAll(() => platform.close());

const read = async (id: string) => (await admin.get(`/api/processes/${id}/`)).body;

test('a process that continued in a second run is one process with all its details', async () => {
  const { organizationId, termId } = world;
  // More batches than one run issues.
  await asOwner(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT $1 || n || '@example.org', 'First', 'Last' FROM generate_series(1, 1005) n RETURNING id),
     chapter AS (
       INSERT INTO chapters (organization_id, name) SELECT $1::uuid, 'Chapter ' || n FROM generate_series(1, 1005) n RETURNING id)
     INSERT INTO memberships (organization_id, user_id, chapter_id, role, status)
     SELECT $1::uuid, p.id, c.id, 'member', 'undergrad' FROM (SELECT id, row_number() OVER () AS n FROM people) p
       JOIN (SELECT id, row_number() OVER () AS n FROM chapter) c USING (n)`,
    [organizationId],
  );
  await asOwner('INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, 100)', [
    organizationId,
    termId,
    'undergrad',
  ]);
  const runs = `/api/hq/dues/${organizationId}/runs/`;
  const request = { term: termId, due_date: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10) };
  const { preview_hash } = (await admin.post(runs, { ...request, dry_run: true })).body;
  const run = (await admin.post(runs, { ...request, preview_hash })).body;
  const id = processId(run.workflow_id);
  const story = await eventually(
    () => read(id),
    ({ status }) => status === 'completed',
    90,
  );
  const handle = temporal().workflow.getHandle(run.workflow_id);
  const { raw, startTime } = await handle.describe();
  expect(raw.workflowExecutionInfo?.firstRunId).not.toBe(raw.workflowExecutionInfo?.execution?.runId);
  expect(story.stages.map(({ stage }: { stage: string }) => stage)).toEqual([
    'started',
    'issuing',
    'finishing',
    'issued',
  ]);
  expect(Date.parse(story.started_at)).toBeLessThan(startTime.getTime());
  expect(story).toMatchObject({ stages_complete: true, started_at: story.stages[0].at, money_moved: 'no' });
  const listed = await listProcesses(admin, 'kind=dues_run', ({ results }) => results[0]?.status === 'completed');
  expect(listed).toMatchObject({ count: 1, results: [{ id, status: 'completed' }] });
});

test('a sleeping process says until when it sleeps, and can be cancelled', async () => {
  const settlementId = await aWaitingSettlement(world, 600);
  let written: string[] = [];
  const workflowId = await inTenant(world.organizationId, () => enqueue(terminalSettlement, { settlementId }), {
    afterCommit: (ids) => (written = ids),
  });
  await dispatchWritten(written, startMessage);
  const id = processId(workflowId);
  const story = await eventually(
    () => read(id),
    ({ waiting_for }) => waiting_for?.code === 'time',
  );
  const until = Date.parse(story.waiting_for.until) - Date.now();
  expect(until).toBeGreaterThan(60_000);
  expect(until).toBeLessThan(15 * 60_000);
  expect(story).toMatchObject({ stage: 'waiting', attempts: 0, last_failure: null, next_attempt_at: null });
  expect(await admin.post(`/api/processes/${id}/retry/`)).toMatchObject({
    status: 409,
    body: { code: 'nothing_to_retry' },
  });
  expect(await admin.post(`/api/processes/${id}/cancel/`)).toMatchObject({
    status: 200,
    body: { outcome: 'cancelled', process: { status: 'cancelled', waiting_for: null } },
  });
});

test('reading the details of a process takes the same number of statements however long its history is', async () => {
  const workflowId = await inTenant(world.organizationId, () => enqueue(markOverdue, { day: '2000-01-01' }));
  const id = processId(workflowId);
  await eventually(
    () => read(id),
    ({ status }) => status === 'completed',
  );
  // BEGIN with the actor, COMMIT, the intent, the row that would wait for it, and the money.
  expect(await countStatements(() => read(id))).toBeLessThanOrEqual(10);
});
