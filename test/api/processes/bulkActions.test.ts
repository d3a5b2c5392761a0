import { MockActivityEnvironment } from '@temporalio/testing';
import { actOnNextTargets, stopBulkAction } from '../../../activities/processes/bulkAction.js';
import { processId, workflowIdOf } from '../../../api/processes/id.js';
import { config } from '../../../config.js';
import { temporal } from '../../../gateways/temporal/client.js';
import { registerSearchAttributes } from '../../../gateways/temporal/searchAttributes.js';
import { mayCancelInBulk } from '../../../services/processes/actions.js';
import type { Process } from '../../../services/processes/findProcess.js';
import { donationReceipt, hostedPage, markOverdue } from '../../../workflows/contracts/index.js';
import { Client } from '../../support/api.js';
import { anApi } from '../../support/apiWorld.js';
import { aFoundation } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aPlatformAdmin, aWorld, type World } from '../../support/world.js';

const ADDRESS = '/api/processes/bulk-actions/';
const reason = 'The gateway is back.';

let world: World;
let other: World;
let admin: Client;

// No worker and no relay run: the steps of bulk actions are called here.
const api = anApi();
beforeAll(registerSearchAttributes);
beforeEach(async () => {
  [world, other] = [await aWorld(), await aWorld()];
  admin = as(world.admin);
});
afterEach(async () => {
  const query = `TaskQueue STARTS_WITH '${config.TEMPORAL_TASK_QUEUE_PREFIX}' AND ExecutionStatus = 'Running'`;
  for await (const { workflowId } of temporal().workflow.list({ query }))
    await temporal()
      .workflow.getHandle(workflowId)
      .terminate()
      .catch(() => undefined);
});

const as = ({ token }: { token: string }, headers = {}) => new Client(api.url, { token, headers });

/** Inserts an intent that waits for its start. @returns the id of its process */
async function anIntent({ organizationId }: World, day: string): Promise<string> {
  const workflowId = markOverdue.workflowId({ organizationId, day });
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     VALUES ($1, 'markOverdue', $2, $3, now() + interval '1 day')`,
    [organizationId, workflowId, { organizationId, day }],
  );
  return processId(workflowId);
}
const intents = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => anIntent(world, `20${String(n + 10)}-01-01`)));

const preview = async (request: object, client = admin) =>
  (await client.post(ADDRESS, { dry_run: true, ...request })).body;
/** Previews and confirms. @returns the answer */
async function start(action: 'retry' | 'cancel', ids: string[], client = admin) {
  const previewed = await preview({ action, ids }, client);
  return client.post(ADDRESS, { action, ids: previewed.ids, preview_hash: previewed.preview_hash, reason });
}
const read = async (id: string) => (await admin.get(`${ADDRESS}${id}/`)).body;
const targetsOf = async (id: string, query = '') => (await admin.get(`${ADDRESS}${id}/targets/${query}`)).body.results;
const step = (bulkActionId: string) =>
  new MockActivityEnvironment().run(actOnNextTargets, { organizationId: world.organizationId, bulkActionId });
const sumOf = (totals: Record<string, number>) => Object.values(totals).reduce((sum, count) => sum + count, 0);

test('bulk actions are for administrators of the organization, and those of others are 404', async () => {
  const ids = [await anIntent(world, '2000-01-01')];
  const { id } = (await start('retry', ids)).body;
  const calls = [
    ['GET', ''],
    ['POST', ''],
    ['GET', `${id}/`],
    ['GET', `${id}/targets/`],
    ['POST', `${id}/stop/`],
  ] as const;
  for (const [method, path] of calls) {
    const body = method === 'POST' && path === '' ? { action: 'retry', dry_run: true, ids } : undefined;
    const status = async (client: Client) => (await client.send(method, `${ADDRESS}${path}`, body)).status;
    expect(await status(new Client(api.url))).toBe(401);
    for (const person of [world.officer, world.regionalAdmin, world.member]) expect(await status(as(person))).toBe(403);
    if (path) expect(await status(as(other.admin))).toBe(404);
  }
  const platformAdmin = await aPlatformAdmin();
  expect(await as(platformAdmin).get(ADDRESS)).toMatchObject({ status: 400, body: { code: 'organization_required' } });
  const named = as(platformAdmin, { 'X-Organization-Id': world.organizationId });
  expect((await named.get(ADDRESS)).body).toMatchObject({ count: 1, results: [{ id, action: 'retry', reason }] });
});

test.each([
  [{ action: 'restart' }, 'action'],
  [{ dry_run: true }, 'ids'],
  [{ dry_run: true, ids: ['x'], filter: {} }, 'ids'],
  [{ dry_run: true, ids: [] }, 'ids'],
  [{ dry_run: true, ids: ['no id!'] }, 'ids.0'],
  [{ dry_run: true, ids: Array.from({ length: 1_001 }, () => 'x') }, 'ids'],
  [{ dry_run: true, filter: { kind: 'x' } }, 'filter.kind'],
  [{ dry_run: true, filter: { page: 2 } }, 'filter.page'],
  [{ ids: ['x'], reason }, 'preview_hash'],
  [{ ids: ['x'], preview_hash: 'x', reason }, 'preview_hash'],
  [{ ids: ['x'], preview_hash: '0'.repeat(64) }, 'reason'],
  [{ ids: ['x'], preview_hash: '0'.repeat(64), reason: 'no' }, 'reason'],
  [{ filter: {}, ids: ['x'], preview_hash: '0'.repeat(64), reason }, 'filter'],
])('the request %j is refused and the field named', async (request, field) => {
  const { status, body } = await admin.post(ADDRESS, { action: 'retry', ...request });
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});

test('a preview counts the processes that it would retry, and says why it leaves out others', async () => {
  const [first = '', second = '', cancelled = ''] = await intents(3);
  await admin.post(`/api/processes/${cancelled}/cancel/`);
  const foreign = await anIntent(other, '2000-01-01');
  const nobodys = processId(`overdue/${world.organizationId}/1999-01-01`);
  const ids = [first, foreign, second, cancelled, nobodys, first];
  expect(await preview({ action: 'retry', ids })).toEqual({
    dry_run: true,
    action: 'retry',
    preview_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    ids: [first, second],
    by_kind: [{ kind: 'overdue_marking', count: 2 }],
    by_money_moved: { yes: 0, no: 2, unknown: 0 },
    left_out: [
      { id: foreign, label: null, code: 'gone' },
      { id: cancelled, label: expect.any(String), code: 'process_finished' },
      { id: nobodys, label: null, code: 'gone' },
    ],
    complete: true,
  });
  const filtered = await preview({ action: 'cancel', filter: { kind: 'overdue_marking', status: 'waiting' } });
  expect(filtered).toMatchObject({ complete: true, left_out: [] });
  expect(filtered.ids.toSorted()).toEqual([first, second].toSorted());
  expect((await admin.get(ADDRESS)).body.count).toBe(0);
});

test('a bulk cancellation leaves out a process whose money may have moved, even if its kind allows it', () => {
  const page = { facts: hostedPage, execution: { status: 'running', cancelRequested: false }, waiting: null };
  const verdicts = (['no', 'unknown', 'yes'] as const).map((moved) =>
    mayCancelInBulk(page as unknown as Process, moved),
  );
  expect(verdicts.map((verdict) => (verdict.safe ? null : verdict.refusal.code))).toEqual([
    null,
    'money_may_have_moved',
    'money_may_have_moved',
  ]);
});

test('a confirmed preview starts one bulk action, and another preview of the same processes another one', async () => {
  const ids = await intents(2);
  const { preview_hash } = await preview({ action: 'retry', ids });
  const confirm = (body: object) => admin.post(ADDRESS, { action: 'retry', ids, preview_hash, reason, ...body });
  const stale = { status: 409, body: { code: 'preview_stale' } };
  expect(await confirm({ ids: ids.slice(1) })).toMatchObject(stale);
  expect(await confirm({ ids: ['x', ...ids] })).toMatchObject(stale);
  expect(await confirm({ action: 'cancel' })).toMatchObject(stale);
  expect(await confirm({ preview_hash: '0'.repeat(64) })).toMatchObject(stale);

  const [one, two] = await Promise.all([confirm({}), confirm({ reason: 'Another reason.' })]);
  expect([one.status, two.status].toSorted((a, b) => a - b)).toEqual([200, 202]);
  expect(one.body.id).toBe(two.body.id);
  expect((await confirm({ ids: ids.toReversed() })).body.id).toBe(one.body.id);
  expect(await confirm({ ids: ids.slice(1) })).toMatchObject(stale);
  expect(one.body).toMatchObject({
    status: 'running',
    targets: 2,
    requested_by: world.admin.userId,
    workflow_id: `bulk-action/${one.body.id}`,
    totals: { waiting: 2, acting: 0, completed: 0 },
  });
  const again = await start('retry', ids);
  expect([again.status, again.body.id === one.body.id]).toEqual([202, false]);
});

test('a bulk action retries each target once, with an audit entry, and its totals add up', async () => {
  const ids = await intents(22);
  const { id } = (await start('retry', ids)).body;
  const [cancelled = '', gone = ''] = ids;
  await admin.post(`/api/processes/${cancelled}/cancel/`);
  await asOwner('DELETE FROM outbox WHERE workflow_id = $1', [workflowIdOf(gone)]);
  expect(await step(id)).toBe('running');
  expect((await read(id)).totals).toMatchObject({ waiting: 2, progressed: 18, refused: 1, gone: 1 });
  expect(await targetsOf(id, '?page_size=3')).toMatchObject([
    { id: cancelled, kind: 'overdue_marking', outcome: 'refused', code: 'process_finished', claimed_at: null },
    { id: gone, outcome: 'gone', code: null, claimed_at: null },
    { id: ids[2], outcome: 'progressed', code: null, claimed_at: expect.any(String) },
  ]);
  expect([await step(id), await step(id), await step(id)]).toEqual(['running', 'done', 'done']);
  const { totals, ...ended } = await read(id);
  expect(ended).toMatchObject({ status: 'done', ended_at: expect.any(String) });
  expect([totals.progressed, sumOf(totals)]).toEqual([20, 22]);
  expect(await targetsOf(id, '?outcome=refused')).toHaveLength(1);
  const entries = await asOwner<{ after: object; actor_user_id: string }>(
    `SELECT after, actor_user_id FROM audit_log WHERE organization_id = $1 AND action = 'process.retry_requested'`,
    [world.organizationId],
  );
  expect(entries).toHaveLength(20);
  expect(entries[0]).toMatchObject({ actor_user_id: world.admin.userId, after: { bulk_action: id, reason } });
  expect(await admin.post(`${ADDRESS}${id}/stop/`)).toMatchObject({
    status: 409,
    body: { code: 'bulk_action_finished' },
  });
});

test('a target that a dead worker had claimed is unknown, and is not retried again', async () => {
  const { id } = (await start('cancel', await intents(2))).body;
  await asOwner(
    'UPDATE process_bulk_action_targets SET claimed_at = now() WHERE bulk_action_id = $1 AND sequence = 1',
    [id],
  );
  expect((await read(id)).totals).toMatchObject({ waiting: 1, acting: 1 });
  expect([await step(id), await step(id)]).toEqual(['running', 'done']);
  expect(await targetsOf(id)).toMatchObject([{ outcome: 'unknown' }, { outcome: 'cancelled' }]);
});

test('a stopped bulk action leaves the remaining targets as they are', async () => {
  const ids = await intents(2);
  const { id } = (await start('retry', ids)).body;
  for (let repeat = 0; repeat < 2; repeat += 1)
    expect((await admin.post(`${ADDRESS}${id}/stop/`)).body).toMatchObject({ status: 'stopping', ended_at: null });
  expect([await step(id), await step(id)]).toEqual(['stopped', 'stopped']);
  expect(await read(id)).toMatchObject({ status: 'stopped', totals: { waiting: 2 } });

  const second = (await start('retry', ids)).body.id;
  const input = { organizationId: world.organizationId, bulkActionId: second };
  await stopBulkAction(input);
  await stopBulkAction(input);
  expect(await step(second)).toBe('stopped');
});

test('a bulk action stops when the person who confirmed it is no administrator any more', async () => {
  const { id } = (await start('retry', await intents(1))).body;
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    world.member.userId,
  ]);
  await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [world.admin.userId]);
  expect(await step(id)).toBe('stopped_right_lost');
  const [entry] = await asOwner("SELECT FROM audit_log WHERE subject_id = $1 AND action LIKE '%stopped_right_lost'", [
    id,
  ]);
  expect(entry).toBeDefined();
});

test('admins of the foundation act on its processes, which other administrators do not see', async () => {
  const { organizationId } = world;
  const foundation = await aFoundation(world);
  const receiptId = crypto.randomUUID();
  const workflowId = donationReceipt.workflowId({ organizationId, receiptId });
  await asOwner(
    `INSERT INTO outbox (organization_id, process, workflow_id, input, not_before)
     VALUES ($1, 'donationReceipt', $2, $3, now() + interval '1 day')`,
    [organizationId, workflowId, { organizationId, receiptId }],
  );
  const ids = [processId(workflowId)];
  expect((await preview({ action: 'retry', ids })).left_out).toEqual([{ id: ids[0], label: null, code: 'gone' }]);
  const foundationAdmin = as(foundation.admin);
  const { status, body } = await start('retry', ids, foundationAdmin);
  expect(status).toBe(202);
  expect((await foundationAdmin.get(ADDRESS)).body.count).toBe(1);
  expect((await admin.get(ADDRESS)).body.count).toBe(0);
  expect((await admin.get(`${ADDRESS}${body.id}/`)).status).toBe(404);
  await asOwner('DELETE FROM foundation_admins WHERE user_id = $1', [foundation.admin.userId]);
  expect(await step(body.id)).toBe('stopped_right_lost');
});

test('the lists take the same number of statements for any number of rows', async () => {
  const { id } = (await start('retry', await intents(2))).body;
  const count = async () => [
    await countStatements(() => admin.get(ADDRESS)),
    await countStatements(() => admin.get(`${ADDRESS}${id}/targets/`)),
  ];
  const few = await count();
  await start('cancel', await intents(3));
  await asOwner(
    `INSERT INTO process_bulk_action_targets (organization_id, bulk_action_id, sequence, workflow_id)
     SELECT organization_id, id, n, 'overdue/x/' || n FROM process_bulk_actions, generate_series(3, 20) n WHERE id = $1`,
    [id],
  );
  expect(await count()).toEqual(few);
});
