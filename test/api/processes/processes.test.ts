import net from 'node:net';
import { notifyOfStuckPayments } from '../../../activities/processIncidents.js';
import { processId } from '../../../api/processes/id.js';
import { config } from '../../../config.js';
import { closeTemporal, queueName, temporal } from '../../../gateways/temporal/client.js';
import { scheduleId } from '../../../gateways/temporal/schedules.js';
import { registerSearchAttributes } from '../../../gateways/temporal/searchAttributes.js';
import { inPlatform } from '../../../models/database/tenancy.js';
import { type Incident, recordIncidents } from '../../../models/processes/incidents.js';
import { markOverdue, payRemittance, refund, TASK_QUEUES } from '../../../workflows/contracts/index.js';
import { startOptions } from '../../../workflows/contracts/startOptions.js';
import { SCHEDULES } from '../../../workflows/schedules.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';
import { checkIncidents } from '../../support/incidents.js';
import { asOwner } from '../../support/owner.js';
import { eventually } from '../../support/platform.js';
import { deleteSchedules, restingSchedules } from '../../support/schedules.js';
import { countStatements, listStatements } from '../../support/statements.js';
import { aPlatformAdmin, aWorld, type World } from '../../support/world.js';

let world: World;
let other: World;
let admin: Client;

// No worker and no relay run: rows stay as written until a test changes them.
const api = anApi();
beforeAll(registerSearchAttributes);
beforeEach(async () => {
  [world, other] = [await aWorld(), await aWorld()];
  admin = as(world.admin);
});
afterEach(async () => {
  const running: string[] = [];
  for await (const { workflowId } of temporal().workflow.list({ query: ours() })) running.push(workflowId);
  // Some processes end by themselves meanwhile.
  await Promise.allSettled(running.map((workflowId) => temporal().workflow.getHandle(workflowId).terminate()));
});

const as = ({ token }: { token: string }, headers = {}) => new Client(api.url, { token, headers });
const ours = () =>
  `TaskQueue = '${config.TEMPORAL_TASK_QUEUE_PREFIX}${TASK_QUEUES[3]}' AND ExecutionStatus = 'Running'`;

/** Inserts an intent that waits for its start. @returns the process's id */
async function anIntent({ organizationId }: World, day = '2000-01-01', row: Record<string, unknown> = {}) {
  const workflowId = markOverdue.workflowId({ organizationId, day });
  const columns = { attempts: 0, last_error: null, created_at: new Date(), ...row };
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before, attempts, last_error, created_at)
     VALUES ($1, 'markOverdue', $2, $3, now() + interval '1 day', $4, $5, $6)`,
    [organizationId, workflowId, { organizationId, day }, columns.attempts, columns.last_error, columns.created_at],
  );
  return processId(workflowId);
}
const list = async (client: Client, query = '') => (await client.get(`/api/processes/${query}`)).body;
const ids = async (client: Client, query = ''): Promise<string[]> =>
  (await list(client, query)).results.map(({ id }: { id: string }) => id);
const started = (client: Client, id: string) =>
  eventually(
    () => list(client, '?status=running'),
    ({ results }) => results.some((row: { id: string }) => row.id === id),
  );

const ADDRESSES = [
  ['GET', ''],
  ['GET', '<id>/'],
  ['POST', '<id>/retry/'],
  ['POST', '<id>/cancel/'],
] as const;
const ask = (client: Client, method: string, path: string, id: string) =>
  client.send(method, `/api/processes/${path.replace('<id>', id)}`);

test.each(ADDRESSES)('%s /api/processes/%s requires a session', async (method, path) => {
  const id = await anIntent(world);
  expect(await ask(new Client(api.url), method, path, id)).toMatchObject({ status: 401 });
});

test.each(ADDRESSES)('%s /api/processes/%s is for administrators of the organization', async (method, path) => {
  const id = await anIntent(world);
  for (const person of [world.regionalAdmin, world.officer, world.member]) {
    expect(await ask(as(person), method, path, id)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  }
  expect(await ask(admin, 'GET', '<id>/', id)).toMatchObject({ status: 200, body: { status: 'waiting' } });
});

test.each(ADDRESSES.slice(1))("%s /api/processes/%s answers 404 for another tenant's process", async (method, path) => {
  const id = await anIntent(other);
  const nobodys = processId(markOverdue.workflowId({ organizationId: other.organizationId, day: '1999-01-01' }));
  const answers = await Promise.all([id, nobodys, 'no-id', '_'].map((one) => ask(admin, method, path, one)));
  for (const { status, body } of answers) expect([status, body]).toEqual([404, answers[0]?.body]);
  const elsewhere = as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
  expect(await ask(elsewhere, method, path, id)).toMatchObject({ status: 404 });
});

test("another tenant's running process is a 404 even with its id", async () => {
  const id = await anIntent(other);
  await as(other.admin).post(`/api/processes/${id}/retry/`);
  await started(as(other.admin), id);
  for (const [method, path] of ADDRESSES.slice(1))
    expect(await ask(admin, method, path, id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await ids(admin)).toEqual([]);
});

test('platform admins see the processes of all organizations, or of the one that they name', async () => {
  const [own, foreign] = [await anIntent(world), await anIntent(other)];
  const platformAdmin = await aPlatformAdmin();
  expect(await ids(as(platformAdmin))).toEqual(expect.arrayContaining([own, foreign]));
  expect(await ids(as(platformAdmin, { 'X-Organization-Id': other.organizationId }))).toEqual([foreign]);
  expect(await ids(admin)).toEqual([own]);
});

test.each([
  ['kind=nothing', 'kind'],
  ['status=continued', 'status'],
  ['stuck=perhaps', 'stuck'],
  ["subject=' OR 1=1", 'subject'],
  ['chapter=Alpha', 'chapter'],
  ['started_after=yesterday', 'started_after'],
  ['started_before=2025-01-01', 'started_before'],
  ['started_after=9999-12-31T23:59:59-23:59', 'started_after'],
  ['started_before=0001-01-01T00:00:00%2B23:59', 'started_before'],
  ['page=0', 'page'],
  ['page=41', 'page'],
  ['page=6&page_size=200', null],
  ['page=11&page_size=100', 'page'],
  ['order=kind', 'order'],
])('the list refuses %s and names the field', async (query, field) => {
  const { status, body } = await admin.get(`/api/processes/?${query}`);
  if (field === null) expect(status).toBe(404);
  else expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});

test('the list can be filtered by kind, status, subject, start and stuck processes', async () => {
  const { organizationId } = world;
  const hour = 3_600_000;
  const old = await anIntent(world, '2000-01-01', { created_at: new Date(Date.now() - 2 * hour) });
  const failing = await anIntent(world, '2000-01-02', { attempts: 5, last_error: 'ServiceError' });
  const fresh = await anIntent(world, '2000-01-03');
  await admin.post(`/api/processes/${await anIntent(world, '2000-01-04')}/cancel/`);
  const all = await list(admin);
  expect(all.results.map(({ status }: { status: string }) => status)).toEqual([
    'waiting',
    'waiting',
    'waiting',
    'cancelled',
  ]);
  const sinceAnHour = new Date(Date.now() - hour).toISOString();
  const expected: [string, string[]][] = [
    ['?status=waiting', [fresh, failing, old]],
    ['?status=waiting&stuck=true', [old, failing]],
    ['?status=waiting&stuck=false', [fresh]],
    ['?status=waiting&kind=overdue_marking', [fresh, failing, old]],
    ['?kind=dues_run', []],
    [`?status=waiting&subject=${organizationId}`, [fresh, failing, old]],
    [`?subject=${other.organizationId}`, []],
    [`?status=waiting&started_after=${sinceAnHour}`, [fresh, failing]],
    [`?started_before=${sinceAnHour}`, [old]],
    ['?status=running', []],
  ];
  for (const [query, wanted] of expected) expect([query, await ids(admin, query)]).toEqual([query, wanted]);
  const reasons = all.results.map((row: { stuck_reason: string }) => row.stuck_reason);
  expect(reasons).toEqual([null, 'attempts', 'age', null]);
});

test('the list of running processes continues from the database to Temporal', async () => {
  const waiting = [];
  for (const day of ['2000-02-01', '2000-02-02', '2000-02-03']) waiting.unshift(await anIntent(world, day));
  const running = [];
  for (const day of ['2000-03-01', '2000-03-02']) {
    const id = await anIntent(world, day);
    await admin.post(`/api/processes/${id}/retry/`);
    await started(admin, id);
    running.unshift(id);
  }
  const listed: string[] = [];
  for (let next: string | null = `${api.url}/api/processes/?page_size=2`; next; ) {
    const { body }: { body: { count: number; next: string | null; results: { id: string }[] } } = await admin.get(
      next.slice(next.indexOf('/api/')),
    );
    expect(body.count).toBe(5);
    listed.push(...body.results.map(({ id }) => id));
    next = body.next;
  }
  expect(listed).toEqual([...waiting, ...running]);
});

test('the last allowed page has no link to another', async () => {
  const { organizationId } = world;
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     SELECT $1::uuid, 'markOverdue', 'overdue/' || $1 || '/' || n, json_build_object('organizationId', $1, 'day', '2000-01-01'),
            now() + interval '1 day' FROM generate_series(1, 1001) n`,
    [organizationId],
  );
  const deepest = await list(admin, '?status=waiting&page=10&page_size=100');
  expect([deepest.count, deepest.results.length, deepest.next]).toEqual([1_001, 100, null]);
});

test('a waiting intent is listed as waiting, and a retry starts its process once', async () => {
  const id = await anIntent(world, '2000-04-01', { attempts: 2, last_error: 'ServiceError: 10.0.0.1:7233 refused' });
  const { body } = await admin.get(`/api/processes/${id}/`);
  expect(body).toMatchObject({
    id,
    kind: 'overdue_marking',
    status: 'waiting',
    subject: { type: 'organization', id: world.organizationId },
    organization: world.organizationId,
    stages: [],
    waiting_for: { code: 'start' },
    attempts: 2,
    last_failure: { code: 'not_handed_over', detail: 'Temporal did not accept the process.' },
    money_moved: 'no',
    actions: [
      { action: 'retry', safe: true },
      { action: 'cancel', safe: true },
    ],
  });
  expect(JSON.stringify(body)).not.toContain('10.0.0.1');
  const retried = await admin.post(`/api/processes/${id}/retry/`);
  expect(retried).toMatchObject({ status: 200, body: { outcome: 'progressed', process: { status: 'running' } } });
  expect(retried.body.process.waiting_for).toMatchObject({ code: 'worker' });
  expect(await admin.post(`/api/processes/${id}/retry/`)).toMatchObject({
    status: 409,
    body: { code: 'nothing_to_retry' },
  });
  const [audit] = await asOwner("SELECT * FROM audit_log WHERE organization_id = $1 AND action LIKE 'process.%'", [
    world.organizationId,
  ]);
  expect(audit).toMatchObject({
    action: 'process.retry_requested',
    actor_user_id: world.admin.userId,
    subject_type: 'organization',
    subject_id: world.organizationId,
    after: { kind: 'overdue_marking' },
  });
});

test('a process that was ended before its first attempt is started again by a retry', async () => {
  const id = await anIntent(world);
  const { workflow_id } = (await admin.post(`/api/processes/${id}/retry/`)).body.process;
  const handle = temporal().workflow.getHandle(workflow_id);
  const { runId } = await handle.describe();
  await handle.terminate();
  const again = await admin.post(`/api/processes/${id}/retry/`);
  expect(again).toMatchObject({ body: { outcome: 'not_attempted_yet', process: { status: 'running' } } });
  expect((await handle.describe()).runId).not.toBe(runId);
  await eventually(
    () => ids(admin, '?status=terminated'),
    (listed) => listed.length === 0,
  );
});

/** Starts a process without a worker, and terminates it. */
async function aTerminated(day: string): Promise<string> {
  const input = { organizationId: world.organizationId, day };
  const options = { ...startOptions(markOverdue, input, null), taskQueue: queueName('bulk') };
  const handle = await temporal().workflow.start('markOverdue', options);
  await handle.terminate();
  return processId(handle.workflowId);
}

test('ended processes are listed page by page, each once, including those that were retried', async () => {
  const wanted = [await aTerminated('2000-08-01')];
  for (let run = 0; run < 5; run += 1) wanted.unshift(await aTerminated('2000-08-02'));
  wanted.unshift(await aTerminated('2000-08-03'));
  const all = await eventually(
    () => list(admin, '?status=terminated'),
    ({ results }) => results.length === 3,
  );
  const expected = [...new Set(wanted)];
  expect(all).toMatchObject({ count: 3, next: null });
  expect(await pages('?status=terminated&page_size=1')).toEqual(expected.map((id) => [id]));
  expect(await pages('?status=terminated&page_size=2')).toEqual([expected.slice(0, 2), expected.slice(2)]);
  expect(await pages('?stuck=false&page_size=1')).toEqual(expected.map((id) => [id]));
  const counted = await list(admin, '?status=terminated&page_size=1');
  expect(counted.count).toBeGreaterThanOrEqual(3);
  expect(await admin.get('/api/processes/?status=terminated&page_size=1&page=4')).toMatchObject({
    status: 404,
    body: { code: 'page_not_found' },
  });
});

/** Follows the links of a list. @returns the ids of each page */
async function pages(query: string): Promise<string[][]> {
  const pageIds: string[][] = [];
  for (let next: string | null = `${api.url}/api/processes/${query}`; next; ) {
    const { status, body }: { status: number; body: { next: string | null; results: { id: string }[] } } =
      await admin.get(next.slice(next.indexOf('/api/')));
    expect(status).toBe(200);
    pageIds.push(body.results.map(({ id }) => id));
    next = body.next;
  }
  return pageIds;
}

test('an intent cancelled before its start is never dispatched', async () => {
  const id = await anIntent(world);
  const cancelled = await admin.post(`/api/processes/${id}/cancel/`);
  expect(cancelled).toMatchObject({ status: 200, body: { outcome: 'cancelled', process: { status: 'cancelled' } } });
  expect(cancelled.body.process.actions.map(({ safe }: { safe: boolean }) => safe)).toEqual([false, false]);
  for (const action of ['retry', 'cancel'])
    expect(await admin.post(`/api/processes/${id}/${action}/`)).toMatchObject({
      status: 409,
      body: { code: 'process_finished' },
    });
  expect(
    await asOwner('SELECT 1 FROM outbox WHERE organization_id = $1 AND dispatched_at IS NULL', [world.organizationId]),
  ).toEqual([]);
  const actions = await asOwner("SELECT action FROM audit_log WHERE organization_id = $1 AND action LIKE 'process.%'", [
    world.organizationId,
  ]);
  expect(actions).toEqual([{ action: 'process.cancel_requested' }]);
});

test('processes of a schedule are visible to platform admins only, who cannot retry or cancel them', async () => {
  await restingSchedules();
  const [{ id: name }] = SCHEDULES as [(typeof SCHEDULES)[number]];
  const schedule = temporal().schedule.getHandle(scheduleId(name));
  await schedule.trigger();
  const platformAdmin = as(await aPlatformAdmin());
  const { results } = await eventually(
    () => list(platformAdmin, '?kind=overdue_schedule&status=running'),
    ({ count }) => count > 0,
  );
  await deleteSchedules();
  expect(results).toMatchObject([{ organization: null, subject: null, chapter: null }]);
  const { id } = results[0];
  expect((await platformAdmin.get(`/api/processes/${id}/`)).body).toMatchObject({ id, money_moved: 'no' });
  for (const action of ['retry', 'cancel'])
    expect(await platformAdmin.post(`/api/processes/${id}/${action}/`)).toMatchObject({
      status: 409,
      body: { code: 'process_of_platform' },
    });
  const narrowed = as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
  for (const client of [admin, narrowed]) {
    expect((await client.get(`/api/processes/${id}/`)).status).toBe(404);
    expect(await ids(client, '?kind=overdue_schedule')).toEqual([]);
  }
});

test('a process of another organization is a 404 even if its id names this one', async () => {
  const workflowId = markOverdue.workflowId({ organizationId: world.organizationId, day: '2000-06-01' });
  await temporal().workflow.start('markOverdue', {
    ...startOptions(markOverdue, { organizationId: other.organizationId, day: '2000-06-01' }, null),
    workflowId,
    taskQueue: queueName('bulk'),
  });
  const id = processId(workflowId);
  expect((await as(other.admin).get(`/api/processes/${id}/`)).status).toBe(200);
  for (const [method, path] of ADDRESSES.slice(1))
    expect(await ask(admin, method, path, id)).toMatchObject({ status: 404, body: { code: 'not_found' } });
});

/** Starts a process without a worker. @returns its workflow id */
async function aRunning(day: string): Promise<string> {
  const options = startOptions(markOverdue, { organizationId: world.organizationId, day }, null);
  const { workflowId } = await temporal().workflow.start('markOverdue', { ...options, taskQueue: queueName('bulk') });
  return workflowId;
}

const recordStuck = (days: string[], more: Partial<Incident> = {}) =>
  inPlatform(() =>
    recordIncidents(
      days.map((day) => ({
        workflowId: markOverdue.workflowId({ organizationId: world.organizationId, day }),
        organizationId: world.organizationId,
        kind: markOverdue.kind,
        input: { organizationId: world.organizationId, day },
        subjectId: world.organizationId,
        chapterId: null,
        reason: 'attempts',
        status: 'running',
        startedAt: new Date(),
        ...more,
      })),
    ),
  );

test('the list of stuck processes shows what is on record, each row as it is now, until the next check', async () => {
  const { expectedMinutes } = markOverdue;
  const days = ['2000-07-01', '2000-07-02', '2000-07-03'];
  const [old, , recovered] = await Promise.all(days.map(aRunning));
  await recordStuck(['2000-07-03']);
  await recordStuck(['2000-07-09'], { reason: 'no_process', status: 'waiting' });
  const shown = async (client = admin) => (await list(client, '?stuck=true')).results;
  expect(await shown()).toMatchObject([
    { workflow_id: recovered, status: 'running', stuck: false, money_moved: null },
    { status: 'waiting', stuck: true, stuck_reason: 'no_process', money_moved: 'no' },
  ]);
  expect(await list(admin, '?stuck=true&page_size=1&page=2')).toMatchObject({ count: 2, complete: true, next: null });
  expect(await ids(admin, '?stuck=true&status=waiting&kind=overdue_marking')).toHaveLength(1);
  expect(await ids(admin, `?stuck=true&chapter=${world.chapterId}`)).toEqual([]);
  expect(await ids(as(other.admin), '?stuck=true')).toEqual([]);
  await eventually(
    () => ids(admin, '?stuck=false&status=running'),
    (listed) => listed.length === 2,
  );
  try {
    Object.assign(markOverdue, { expectedMinutes: 0 });
    await eventually(
      async () => {
        await checkIncidents();
        return shown();
      },
      (results) => results.length === 3,
    );
  } finally {
    Object.assign(markOverdue, { expectedMinutes });
  }
  await temporal()
    .workflow.getHandle(old as string)
    .terminate();
  await checkIncidents();
  expect(await shown()).toEqual([]);
});

test('stuck processes that have moved no money do not delay the notification of one that may have', async () => {
  const { organizationId } = world;
  const incident = (workflowId: string, kind: string, input: Incident['input']): Incident => ({
    workflowId,
    organizationId,
    kind,
    input,
    subjectId: null,
    chapterId: null,
    reason: 'attempts',
    status: 'running',
    startedAt: new Date(),
  });
  const newRefund = (refundId = crypto.randomUUID()) => incident(`refund/${refundId}`, refund.kind, { refundId });
  await inPlatform(() => recordIncidents(Array.from({ length: 500 }, () => newRefund())));
  const attemptId = crypto.randomUUID();
  const payment = incident(`remittance-payment/${attemptId}`, payRemittance.kind, { attemptId });
  await inPlatform(() => recordIncidents([payment]));
  await notifyOfStuckPayments();
  const told = await asOwner('SELECT subject_id FROM notifications WHERE organization_id = $1', [organizationId]);
  expect(told).toEqual([{ subject_id: attemptId }]);
  await asOwner('DELETE FROM process_incidents WHERE organization_id = $1', [organizationId]);
});

test('only platform admins get the address of a process in the Temporal UI', async () => {
  const id = await anIntent(world, '2000-07-05', { attempts: 5 });
  const [row] = (await list(admin, '?stuck=true')).results;
  expect(row).toMatchObject({ id, label: row.summary, console_path: `/console/processes/${id}`, temporal_url: null });
  const [seen] = (await list(as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId }))).results;
  expect(seen.temporal_url).toBe(
    `${config.TEMPORAL_UI_URL}/namespaces/${config.TEMPORAL_NAMESPACE}/workflows/${encodeURIComponent(row.workflow_id)}`,
  );
});

test('the reason of an action is kept in the audit log', async () => {
  const id = await anIntent(world);
  for (const reason of ['no', ' x ', 'x'.repeat(501), 7])
    expect(await admin.post(`/api/processes/${id}/cancel/`, { reason })).toMatchObject({
      status: 400,
      body: { errors: { reason: [expect.any(String)] } },
    });
  expect((await admin.post(`/api/processes/${id}/cancel/`, { reason: 'Not needed.' })).status).toBe(200);
  const [audit] = await asOwner("SELECT after FROM audit_log WHERE organization_id = $1 AND action LIKE 'process.%'", [
    world.organizationId,
  ]);
  expect(audit).toMatchObject({ after: { kind: 'overdue_marking', reason: 'Not needed.' } });
});

test('an action refuses every field in its body', async () => {
  const id = await anIntent(world);
  for (const action of ['retry', 'cancel'])
    expect(await admin.post(`/api/processes/${id}/${action}/`, { force: true })).toMatchObject({
      status: 400,
      body: { errors: { force: ['Unknown field.'] } },
    });
});

test('the list takes a constant number of statements', async () => {
  await anIntent(world, '2000-05-01');
  const few = await countStatements(() => list(admin));
  for (let n = 10; n < 30; n += 1) await anIntent(world, `2000-05-${n}`);
  expect(await countStatements(() => list(admin))).toBe(few);
  // The actor, and the rows that wait.
  expect(few).toBeLessThanOrEqual(5);
  const stuckProcesses = () => listStatements(() => list(admin, '?stuck=true'));
  await recordStuck(['2000-09-01'], { status: 'waiting', reason: 'no_process' });
  const statements = await stuckProcesses();
  expect(statements.filter((text) => text.includes('process_incidents'))).toHaveLength(1);
  await recordStuck(
    Array.from({ length: 20 }, (_, n) => `2000-10-${n}`),
    { status: 'waiting', reason: 'no_process' },
  );
  expect(await stuckProcesses()).toEqual(statements);
});

describe('an outage of Temporal', () => {
  const address = config.TEMPORAL_ADDRESS;
  afterEach(async () => {
    await closeTemporal();
    Object.assign(config, { TEMPORAL_ADDRESS: address });
  });

  async function away(): Promise<void> {
    const server = net.createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as net.AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await closeTemporal();
    Object.assign(config, { TEMPORAL_ADDRESS: `127.0.0.1:${port}` });
  }

  test('every route answers 503 soon, and the API continues', async () => {
    const id = await anIntent(world);
    await away();
    for (const [method, path] of ADDRESSES) {
      const began = Date.now();
      const answer = await ask(admin, method, path, id);
      expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 503, 'unavailable']);
      expect(answer.headers.get('retry-after')).toBe('5');
      expect(Date.now() - began).toBeLessThan(6_000);
    }
    expect(await ids(admin, '?status=waiting')).toEqual([id]);
    expect((await new Client(api.url).get('/healthz/')).status).toBe(200);
  });

  test('requests that wait for Temporal occupy no database connection', async () => {
    // The server accepts connections and never answers, so that every call runs into the timeout.
    const sockets: net.Socket[] = [];
    const silent = net.createServer((socket) => void sockets.push(socket)).listen(0, '127.0.0.1');
    await new Promise((resolve) => silent.once('listening', resolve));
    await closeTemporal();
    Object.assign(config, { TEMPORAL_ADDRESS: `127.0.0.1:${(silent.address() as net.AddressInfo).port}` });
    const ended: string[] = [];
    const noteEnd = <T>(who: string, answer: Promise<T>) => answer.finally(() => ended.push(who));
    const many = Array.from({ length: config.DATABASE_POOL + 4 }, () => noteEnd('waits', admin.get('/api/processes/')));
    const waiting = Promise.all(many);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await noteEnd('reads', admin.get('/api/auth/me/'))).status).toBe(200);
    expect(ended).toEqual(['reads']);
    expect(new Set((await waiting).map(({ status }) => status))).toEqual(new Set([503]));
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  test('the API answers again as soon as Temporal does', async () => {
    const id = await anIntent(world);
    await away();
    expect((await admin.get('/api/processes/')).status).toBe(503);
    await closeTemporal();
    Object.assign(config, { TEMPORAL_ADDRESS: address });
    expect(await ids(admin)).toEqual([id]);
  });
});
