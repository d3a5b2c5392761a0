import { MockActivityEnvironment } from '@temporalio/testing';
import { finishDues, issueNextDues } from '../../activities/finances/issueDues.js';
import { issueDues } from '../../workflows/contracts/index.js';
import { temporal } from '../../gateways/temporal/client.js';
import type { Client } from '../support/api.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { eventually, type Platform, startPlatform } from '../support/platform.js';
import { aMember, aWorld, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let admin: Client;

beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.close());

beforeEach(async () => {
  world = await aWorld();
  admin = platform.client(world.admin);
  const rate = 'INSERT INTO dues_rates (organization_id, term_id, status, amount_cents) VALUES ($1, $2, $3, $4)';
  await asOwner(rate, [world.organizationId, world.termId, 'undergrad', 12_500]);
  // More chapters than one batch takes.
  for (let n = 0; n < 12; n += 1) {
    const [chapter] = await asOwner<{ id: string }>(
      'INSERT INTO chapters (organization_id, name) VALUES ($1, $2) RETURNING id',
      [world.organizationId, `Chapter ${n}`],
    );
    await aMember(world.organizationId, chapter?.id as string);
  }
});

const runs = () => `/api/hq/dues/${world.organizationId}/runs/`;
const due = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
const invoices = () =>
  asOwner('SELECT id, status, total_cents FROM chapter_invoices WHERE organization_id = $1', [world.organizationId]);

async function start(): Promise<{ id: string; workflow_id: string; invoices_planned: number }> {
  const request = { term: world.termId, due_date: due };
  const { preview_hash } = (await admin.post(runs(), { ...request, dry_run: true })).body;
  return (await admin.post(runs(), { ...request, preview_hash })).body;
}
const finished = (id: string) =>
  eventually(
    async () => (await admin.get(`${runs()}${id}/`)).body,
    ({ status }) => status === 'completed',
  );

test('a confirmed dues run issues its invoices in several batches, and shows its progress', async () => {
  const run = await start();
  const end = await finished(run.id);
  expect(end).toMatchObject({
    invoices_issued: run.invoices_planned,
    chapters_done: end.chapters_total,
    issued_cents: end.planned_cents,
  });
  expect(await invoices()).toHaveLength(run.invoices_planned);
  const handle = temporal().workflow.getHandle(run.workflow_id);
  await handle.result();
  const [begun] = (await handle.fetchHistory()).events ?? [];
  const [input] = begun?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
  expect(JSON.parse(Buffer.from(input?.data ?? []).toString())).toEqual({
    organizationId: world.organizationId,
    duesRunId: run.id,
  });
  await recordHistory(run.workflow_id, 'issueDues-issued');
});

test('each step of a dues run can run twice', async () => {
  await asOwner(`UPDATE org_dues_settings SET billing_mode = 'bill_chapter' WHERE organization_id = $1`, [
    world.organizationId,
  ]);
  const run = await start();
  await finished(run.id);
  const before = await invoices();
  const environment = new MockActivityEnvironment();
  const input = { organizationId: world.organizationId, duesRunId: run.id };
  let after: string | null = null;
  do after = await environment.run(issueNextDues, { ...input, after });
  while (after);
  await environment.run(finishDues, input);
  expect(await invoices()).toEqual(before);
  expect((await admin.get(`${runs()}${run.id}/`)).body).toMatchObject({
    invoices_issued: before.length,
    status: 'completed',
  });
});

test('a dues run has one process, however often it is requested', async () => {
  const run = await start();
  await finished(run.id);
  const input = { organizationId: world.organizationId, duesRunId: run.id };
  expect(issueDues.workflowId(input)).toBe(run.workflow_id);
  await asOwner(`UPDATE outbox SET dispatched_at = NULL, not_before = now() WHERE workflow_id = $1`, [run.workflow_id]);
  await eventually(
    async () => (await asOwner('SELECT dispatched_at FROM outbox WHERE workflow_id = $1', [run.workflow_id]))[0],
    (row) => row?.['dispatched_at'] !== null,
  );
  expect(await invoices()).toHaveLength(run.invoices_planned);
});
