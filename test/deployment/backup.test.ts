/** A backup that was restored into another cluster, and the treatment of money that moved after it was made. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Client as Database } from 'pg';
import { compareWithProcessors } from '../../bin/ledger/processors.js';
import { withClient } from '../../development/stack/roles.js';
import { config } from '../../config.js';
import { temporal } from '../../gateways/temporal/client.js';
import { checkLedger } from '../../models/finances/checkLedger.js';
import { Client } from '../support/api.js';
import { aProcessor, eventually, WEBHOOK_SECRET } from '../support/platform.js';
import { asOwner } from '../support/owner.js';
import { anInvoice, aWorld, type World } from '../support/world.js';
import { type Deployment, end, startDeployment } from './deployment.js';
import { backUp, forgetBackupRole, type RestoredCluster, restoreInto, rowCounts } from './restoredCluster.js';

const HOUR_MS = 3_600_000;

let folder: string;
let deployment: Deployment;
let world: World;
let restored: RestoredCluster;
/** Paid before the backup, and after it. */
let before: string;
let after: string;
/** Pending when the backup was made, and declined since. */
let declined: string;
let counted: Record<string, number>;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'membership-backup-'));
  deployment = await startDeployment({ apis: 1, workers: 1, environment: { PAY_WAIT_SECONDS: '2' } });
  world = await aWorld({ members: 3 });
  await aProcessor(world);
  [before, after, declined] = [await aDraft(), await aDraft(), await aDraft()];
  await pay(deployment.proxy.url, before);
  await control('/faults', { kind: 'hang', times: 1000, remittance_id: declined });
  await beginPaying(declined, 'pm_card_chargeDeclined');
  const dump = await backUpAtRest();
  await pay(deployment.proxy.url, after);
  await fetch(`${deployment.gateway.controlUrl}/faults`, { method: 'DELETE' });
  await eventually(
    () => statusOf(deployment.proxy.url, declined),
    (status) => status === 'draft',
    30,
  );
  restored = await restoreInto(folder, dump);
});

afterAll(async () => {
  await forgetBackupRole(deployment.superuserUrl);
  await deployment.close();
  await restored.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Counters are written in intervals: a dump is complete when nothing was written in the meantime. */
async function backUpAtRest(): Promise<string> {
  const owner = process.env['DATABASE_OWNER_URL'] as string;
  for (;;) {
    counted = await rowCounts(owner);
    const dump = await backUp(deployment.superuserUrl, folder);
    if (isDeepStrictEqual(await rowCounts(owner), counted)) return dump;
  }
}

const restoredOwner = () => restored.url('membership_owner');

async function aDraft(): Promise<string> {
  const invoices = await Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId })),
  );
  const officer = new Client(deployment.proxy.url, { token: world.officer.token });
  const { body } = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: 10_000 })),
  });
  return body.id;
}

const beginPaying = (id: string, method: string) =>
  new Client(deployment.proxy.url, { token: world.officer.token }).post(`/api/billing/remittances/${id}/pay/`, {
    payment_method: method,
  });

async function pay(url: string, id: string): Promise<void> {
  await beginPaying(id, 'pm_card_visa');
  await eventually(
    () => statusOf(url, id),
    (status) => status === 'settled',
    30,
  );
}

const statusOf = async (url: string, id: string): Promise<string> =>
  (await new Client(url, { token: world.officer.token }).get(`/api/billing/remittances/${id}/`)).body.status;

/** The differences between the processor and the restored ledger, once nothing can be pending any more. */
async function unknownCaptures(): Promise<unknown[]> {
  const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + HOUR_MS);
  const client = new Database({ connectionString: restoredOwner() });
  await client.connect();
  try {
    config.STRIPE_API_URL = deployment.gateway.url;
    const { comparisons } = await compareWithProcessors(client, new Date(0));
    return comparisons.flatMap(({ violations }) => violations);
  } finally {
    await client.end();
    clock.mockRestore();
  }
}

const control = (where: string, body: object) =>
  fetch(deployment.gateway.controlUrl + where, { method: 'POST', body: JSON.stringify(body) });

test('every restored table has all its rows', async () => {
  expect(Object.keys(counted).length).toBeGreaterThan(30);
  expect(await rowCounts(restoredOwner())).toEqual(counted);
});

test('row level security is forced on the restored tables, and the runtime role sees no tenant', async () => {
  const secured = `SELECT relname, relrowsecurity, relforcerowsecurity,
                          (SELECT array_agg(polname::text ORDER BY polname) FROM pg_policy WHERE polrelid = c.oid) AS policies
                     FROM pg_class c WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY 1`;
  const copies = await withClient(restoredOwner(), (client) => client.query(secured));
  expect(copies.rows).toEqual(await asOwner(secured));
  const seen = await withClient(restored.url('membership_runtime'), (client) =>
    client.query('SELECT FROM memberships'),
  );
  expect(seen.rowCount).toBe(0);
});

test('the backup role can read and cannot write', async () => {
  await withClient(restored.url('membership_backup'), async (client) => {
    expect((await client.query('SELECT FROM memberships')).rowCount).toBe(counted['memberships']);
    await client.query('SET default_transaction_read_only = off');
    await expect(client.query("UPDATE memberships SET role = 'officer'")).rejects.toThrow('permission denied');
  });
});

describe('after the restore', () => {
  let url: string;

  beforeAll(async () => {
    await Promise.all([...deployment.apis, ...deployment.workers].map((part) => end(part, 'SIGKILL')));
    const database = restored.url('membership_runtime');
    const environment = { DATABASE_URL: database, DATABASE_LISTEN_URL: database };
    const [api] = await Promise.all([deployment.startApi(undefined, environment), deployment.startWorker(environment)]);
    url = api.url;
    await control('/webhook-endpoints', { url: `${url}/api/finances/webhooks/processor/`, secret: WEBHOOK_SECRET });
  });

  test('the restored ledger is sound, a signed-in person stays signed in, and the later payment is unknown', async () => {
    expect((await checkLedger(restoredOwner())).violations).toEqual([]);
    const statuses = await Promise.all([before, after, declined].map((id) => statusOf(url, id)));
    expect(statuses).toEqual(['settled', 'draft', 'processing']);
  });

  test('the ledger check names later captures, and repeated events of the processor record them', async () => {
    expect(await unknownCaptures()).toMatchObject([
      { problem: 'captured, and neither recorded nor flagged', captured_cents: 30_000, noted_cents: 0 },
    ]);
    await control('/events/redeliver', { type: 'payment_intent.succeeded', remittance_id: after });
    await eventually(
      () => statusOf(url, after),
      (status) => status === 'settled',
      30,
    );
    expect(await unknownCaptures()).toEqual([]);
    expect((await checkLedger(restoredOwner())).violations).toEqual([]);
  });

  test('a payment whose process has ended since the backup is concluded when the process runs again from its start', async () => {
    const [{ workflow_id: workflowId } = { workflow_id: '' }] = await asOwner<{ workflow_id: string }>(
      'SELECT workflow_id FROM outbox WHERE workflow_id LIKE $1',
      [`%${declined}%`],
    );
    const { events } = await temporal().workflow.getHandle(workflowId).fetchHistory();
    const first = events?.find(({ workflowTaskCompletedEventAttributes: completed }) => completed);
    await temporal().connection.workflowService.resetWorkflowExecution({
      namespace: config.TEMPORAL_NAMESPACE,
      workflowExecution: { workflowId },
      reason: 'The database is an earlier one.',
      workflowTaskFinishEventId: first?.eventId ?? null,
      requestId: randomUUID(),
    });
    await eventually(
      () => statusOf(url, declined),
      (status) => status === 'draft',
      30,
    );
    expect(await unknownCaptures()).toEqual([]);
  });

  test('dispatching every outbox row to Temporal again starts nothing twice', async () => {
    const known = await withClient(restoredOwner(), async (client) => {
      const { rows } = await client.query('SELECT count(*)::int AS captures FROM processor_captures');
      await client.query('UPDATE outbox SET dispatched_at = NULL, not_before = now()');
      return rows;
    });
    await eventually(
      () =>
        withClient(restoredOwner(), (client) =>
          client.query('SELECT count(*)::int AS waiting FROM outbox WHERE dispatched_at IS NULL'),
        ),
      ({ rows }) => rows[0].waiting === 0,
      30,
    );
    const { rows } = await withClient(restoredOwner(), (client) =>
      client.query('SELECT count(*)::int AS captures FROM processor_captures'),
    );
    expect(rows).toEqual(known);
    expect((await checkLedger(restoredOwner())).violations).toEqual([]);
    expect(await unknownCaptures()).toEqual([]);
  });
});
