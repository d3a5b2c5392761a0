import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { config } from '../../config.js';
import { STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { encrypt } from '../../models/database/encryption.js';
import { aProcessor, eventually, type Platform, spawnPart, startPlatform } from '../support/platform.js';
import { officeSuites } from '../gateways/accounts.support.js';
import { aStore } from '../gateways/storage.support.js';
import { asOwner } from '../support/owner.js';
import { expectSoundLedger } from '../support/ledger.js';
import { aMember, anInvoice, aPlatformAdmin, aWorld, type Person, type World } from '../support/world.js';

let platform: Platform;
let world: World;
let processor: string;
const workers: ChildProcess[] = [];

const suites = officeSuites();

const storage = aStore();
/** The output of the workers. */
const folder = mkdtempSync(path.join(os.tmpdir(), 'workers-'));
const logFile = openSync(path.join(folder, 'said'), 'a');

const startWorker = (): ChildProcess => {
  const { host } = new URL(storage.url);
  const more = {
    LOG_LEVEL: 'debug',
    WORKSPACE_SUITE_URL: suites.workspace.url,
    STORAGE_ALLOWED_HOSTS: host,
    STORAGE_PROVISIONING_ACCESS_KEY_ID: STORAGE_PROVISIONER.accessKeyId,
    STORAGE_PROVISIONING_SECRET_ACCESS_KEY: STORAGE_PROVISIONER.secretAccessKey,
    STORAGE_PROVISIONING_ENDPOINT: storage.url,
    STORAGE_PROVISIONING_IDENTITY_ENDPOINT: storage.url,
  };
  const worker = spawnPart('worker', platform.gateway, more, logFile);
  workers.push(worker);
  return worker;
};

beforeAll(async () => {
  platform = await startPlatform({ worker: 'none' });
  world = await aWorld({ members: 3 });
  processor = await aProcessor(world);
});

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await platform.close();
  closeSync(logFile);
  rmSync(folder, { recursive: true });
});

test('a payment whose worker is killed between capture and settlement is charged once, and the next worker settles it', async () => {
  const officer = platform.client(world.officer);
  const invoices = await Promise.all(
    world.memberships.map((membershipId) => anInvoice(world, { chapterId: world.chapterId, membershipId })),
  );
  const { body } = await officer.post('/api/billing/remittances/', {
    chapter: world.chapterId,
    allocations: invoices.map((invoice) => ({ invoice, amount_cents: 10_000 })),
  });
  const doomed = startWorker();
  await platform.fault({ kind: 'hold_after_capture', remittance_id: body.id });
  // Otherwise the provider's own event would settle it without a worker.
  await platform.fault({ kind: 'delay_events', delay_ms: 120_000, remittance_id: body.id });
  const paying = officer.post(`/api/billing/remittances/${body.id}/pay/`, { payment_method: 'pm_card_visa' });
  await eventually(
    () => platform.moved(body.id),
    (ledger) => ledger.length === 1,
  );
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');
  await platform.clearFaults();

  expect(await paying).toMatchObject({ status: 409, body: { code: 'remittance_in_progress' } });
  startWorker();
  const settled = await eventually(
    async () => (await officer.get(`/api/billing/remittances/${body.id}/`)).body,
    ({ status }) => status === 'settled',
    60,
  );
  expect(settled.allocations.every(({ payment }: { payment: string | null }) => payment !== null)).toBe(true);
  expect(await platform.moved(body.id)).toHaveLength(1);
  await expectSoundLedger();
});

async function killWorkers(): Promise<void> {
  for (const worker of workers.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    worker.kill('SIGKILL');
    await once(worker, 'exit');
  }
}

/** Kills the worker whose request the gateway holds, and starts another. */
async function killAtWork(pendingRequest: Promise<unknown>): Promise<void> {
  await platform.held();
  await killWorkers();
  await platform.clearFaults();
  await pendingRequest;
  startWorker();
}

test('workers that are killed while they open and look up a page leave one page and one payment', async () => {
  const invoice = await anInvoice(world, { chapterId: world.chapterId, membershipId: world.member.membershipId });
  const click = () => platform.client(world.member).post(`/api/invoices/${invoice}/pay/`);
  // No event reports the payment: each event is refused.
  await asOwner('UPDATE org_payment_processors SET webhook_secret_encrypted = $2 WHERE id = $1', [
    processor,
    encrypt('whsec_mistyped', {
      table: 'org_payment_processors',
      column: 'webhook_secret_encrypted',
      rowId: processor,
    }),
  ]);

  await platform.fault({ kind: 'hold_after_capture', operation: 'checkout' });
  await killAtWork(click());
  const { body: page } = await eventually(click, ({ status }) => status === 201, 60);
  // The look-up of the new page is over, and later ones wait at the gateway.
  const admin = platform.client(world.admin);
  const [{ id }] = (await admin.get(`/api/processes/?subject=${page.attempt}`)).body.results;
  await eventually(
    async () => (await admin.get(`/api/processes/${id}/`)).body,
    ({ waiting_for }) => waiting_for?.code === 'time',
    60,
  );
  await platform.fault({ kind: 'hold_after_capture', operation: 'checkout_retrieve' });
  const form = new URLSearchParams({ payment_method: 'pm_card_visa' });
  await fetch(page.url, { method: 'POST', redirect: 'manual', body: form });
  await killAtWork(click());
  await eventually(click, ({ body }) => body.code === 'invoice_not_payable', 60);
  expect(await asOwner('SELECT id, status FROM payment_attempts WHERE invoice_id = $1', [invoice])).toEqual([
    { id: page.attempt, status: 'succeeded' },
  ]);
  expect(await asOwner('SELECT amount_cents::int FROM processor_captures WHERE invoice_id = $1', [invoice])).toEqual([
    { amount_cents: 10_000 },
  ]);
  await expectSoundLedger();
});

test('a crossing whose worker is killed is completed once by the next worker', async () => {
  const people = await Promise.all(
    Array.from({ length: 4 }, () => aMember(world.organizationId, world.chapterId, 'member', 'pnm')),
  );
  const memberships = people.map(({ membershipId }) => membershipId);
  const profiles = await asOwner<{ id: string }>(
    `UPDATE pnm_profiles SET stage = 'in_progress', birth_date = '2005-04-12' WHERE membership_id = ANY ($1) RETURNING id`,
    [memberships],
  );
  const cross = (more: object) =>
    platform
      .client(world.officer)
      .post(`/api/chapters/${world.chapterId}/pnm/cross/`, { pnm_ids: profiles.map(({ id }) => id), ...more });
  const carried = () =>
    asOwner<{ fates: number; logged: number; born: string; welcomed: boolean }>(
      `SELECT (SELECT count(*)::int FROM crossing_fields f WHERE f.crossing_id = c.id) AS fates,
              (SELECT count(*)::int FROM audit_log l WHERE l.subject_id = c.id AND l.action = 'crossing.carried') AS logged,
              p.date_of_birth::text AS born, c.welcomed_at IS NOT NULL AS welcomed
         FROM crossings c JOIN memberships m ON m.id = c.membership_id JOIN member_profiles p ON p.user_id = m.user_id
        WHERE c.membership_id = ANY ($1)`,
      [memberships],
    );
  const [whole, nothing] = [
    { fates: 7, logged: 1, born: '2005-04-12', welcomed: true },
    { fates: 0, logged: 0, born: null, welcomed: false },
  ];
  startWorker();
  const [first] = people as [Person];
  // A profile is being saved in another transaction: its step gets as far as that row.
  await holding('UPDATE member_profiles SET preferred_name = NULL WHERE user_id = $1', [first.userId], async () => {
    expect((await cross({ preview_hash: (await cross({ dry_run: true })).body.preview_hash })).status).toBe(202);
    await eventually(carried, (seen) => seen.filter(({ welcomed }) => welcomed).length === 3);
    await eventually(waiting, (count) => count > 0);
    await killWorkers();
    expect(await carried()).toEqual(expect.arrayContaining([whole, whole, whole, nothing]));
  });
  startWorker();
  const seen = await eventually(carried, (all) => all.every(({ welcomed }) => welcomed), 60);
  expect(seen).toEqual([whole, whole, whole, whole]);
});

test('a worker that is killed around the creation of accounts and of a storage key leaves one of each', async () => {
  const { organizationId, chapterId } = world;
  const configured = await platform
    .client(world.admin)
    .put(`/api/organizations/${organizationId}/provisioning-config/`, suites.workspaceConfig());
  expect(configured.status).toBe(200);
  const { faults, directory } = suites.workspace;
  startWorker();
  const [before, after] = [
    await aMember(organizationId, chapterId, 'member', 'pnm'),
    await aMember(organizationId, chapterId, 'member', 'pnm'),
  ];
  for (const kind of ['hold_before', 'hold_after'] as const) faults.order({ kind, operation: 'create' });
  const memberships = [before.membershipId, after.membershipId];
  await asOwner(`UPDATE memberships SET status = 'undergrad' WHERE id = ANY ($1)`, [memberships]);
  await eventually(
    async () => faults.holding,
    (holding) => holding === 2,
  );
  expect(directory.all()).toHaveLength(1);
  const { provisioning, keys, keyActions } = await aKeyIsHeld();
  await killWorkers();
  faults.lift();
  startWorker();
  const accounts = await eventually(
    () =>
      asOwner<{ id: string; status: string; address: string }>(
        'SELECT id, status, address FROM account_provisioning_records WHERE membership_id = ANY ($1)',
        [memberships],
      ),
    (rows) => rows.every(({ status }) => status === 'active'),
    60,
  );
  for (const { id, address } of accounts)
    expect(directory.all().filter(({ externalId }) => externalId === id)).toMatchObject([
      { address, groups: directory.groups },
    ]);

  expect(await provisioning).toMatchObject({
    status: 202,
    body: { provisioning: { status: 'running' }, storage: null },
  });
  const made = await eventually(
    () =>
      asOwner<{ status: string; access_key_id: string }>(
        `SELECT p.status, c.access_key_id FROM storage_provisionings p JOIN storage_configs c USING (organization_id)
          WHERE p.organization_id = $1 AND c.is_active`,
        [organizationId],
      ),
    ([row]) => row?.status === 'completed',
    60,
  );
  expect(keys()).toMatchObject([{ accessKeyId: made[0]?.access_key_id, active: true }]);
  expect(keyActions()).toEqual(['CreateAccessKey', 'DeleteAccessKey', 'CreateAccessKey']);
  const lines = readFileSync(path.join(folder, 'said'), 'utf8');
  expect(lines).toContain('worker');
  for (const secret of [STORAGE_PROVISIONER.secretAccessKey, keys()[0]?.secretAccessKey as string])
    expect(lines).not.toContain(secret);
});

/** Starts the provisioning of a storage, whose worker waits for the answer with the key. */
async function aKeyIsHeld() {
  const { url } = storage;
  const name = `membership-${world.organizationId}`;
  Object.assign(config, {
    storageProvisioning: {
      ...STORAGE_PROVISIONER,
      region: 'us-east-1',
      name: 'membership',
      endpoint: url,
      identityEndpoint: url,
    },
  });
  storage.fail('held', 1, 'CreateAccessKey');
  const keys = () => storage.identities.user(name)?.keys ?? [];
  const keyActions = () =>
    storage
      .calls()
      .flatMap(({ action, target }) => (target === name && /^(Create|Delete)AccessKey/.test(action) ? [action] : []));
  const provisioning = platform
    .client(await aPlatformAdmin())
    .post(`/api/platform/organizations/${world.organizationId}/storage-config/provision/`, { dry_run: false });
  await eventually(
    async () => keys().length,
    (count) => count === 1,
  );
  return { provisioning, keys, keyActions };
}

const waiting = async (): Promise<number> =>
  (
    await asOwner(
      `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE datname = current_database() AND NOT granted`,
    )
  ).length;

/** Does the work while another transaction has run a statement and not committed. */
async function holding(statement: string, values: unknown[], work: () => Promise<void>): Promise<void> {
  const holder = new pg.Client({ connectionString: process.env['DATABASE_OWNER_URL'] });
  await holder.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(statement, values);
    await work();
    await holder.query('COMMIT');
  } finally {
    await holder.end();
  }
}
