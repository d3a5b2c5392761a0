/** The platform creates a bucket for an organization, with a user, a policy and a key that is limited to the bucket. */
import { temporal as protobuf } from '@temporalio/proto';
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  failStorageProvisioning,
  issueStorageKey,
  openStorage,
  prepareStorage,
  stopStorageProvisioning,
} from '../../activities/organizations/storageProvisioning.js';
import { config } from '../../config.js';
import { STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { temporal } from '../../gateways/temporal/client.js';
import { aStore } from '../gateways/storage.support.js';
import type { Client } from '../support/api.js';
import { apiWorld, expectNowhere } from '../support/apiWorld.js';
import { recordHistory } from '../support/histories.js';
import { asOwner } from '../support/owner.js';
import { queueWorkers } from '../support/queueWorkers.js';
import { aPlatformAdmin, aWorld, type World } from '../support/world.js';

const storage = aStore();
const stage = apiWorld();
queueWorkers(['bulk']);
const environment = new MockActivityEnvironment();
let platform: Client;

beforeAll(async () => {
  const { url } = storage;
  Object.assign(config, {
    STORAGE_ALLOWED_HOSTS: [new URL(url).host],
    storageProvisioning: {
      ...STORAGE_PROVISIONER,
      region: 'eu-central-1',
      name: 'membership',
      endpoint: url,
      identityEndpoint: url,
    },
  });
  platform = stage.as(await aPlatformAdmin());
});

interface Made {
  plan: object | null;
  provisioning: { id: string; number: number; status: string; workflow_id: string };
  storage: { store: { id: string; access_key_id: string }; version: number };
}
const path = (id: string) => `/api/platform/organizations/${id}/storage-config/provision/`;
const nameFor = ({ organizationId }: World) => `membership-${organizationId}`;
const made = ({ organizationId }: World) => platform.post<Made>(path(organizationId), { dry_run: false });
const keysOf = (world: World) => storage.identities.user(nameFor(world))?.keys ?? [];
const rowsOf = ({ organizationId }: World) =>
  asOwner<{ id: string; number: number; status: string; problem: string | null; answer: string | null }>(
    'SELECT id, number, status, problem, answer FROM storage_provisionings WHERE organization_id = $1 ORDER BY number',
    [organizationId],
  );
const tried = async ({ organizationId }: World) =>
  (await platform.post(`/api/platform/organizations/${organizationId}/storage-config/test/`)).body;
const upload = (world: World) => {
  const body = new FormData();
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100, 7)]);
  body.append('file', new Blob([new Uint8Array(png)]), 'photo.png');
  const address = `${stage.api.url}/api/organizations/${world.organizationId}/files/?purpose=request_document`;
  return fetch(address, { method: 'POST', headers: { Authorization: `Bearer ${world.member.token}` }, body });
};
const planFor = async ({ organizationId }: World) =>
  (await platform.post<{ plan: object }>(path(organizationId), { dry_run: true })).body.plan;
/** The calls to the provider for an organization. */
const askedFor = (world: World) => storage.calls().filter(({ target }) => target.startsWith(nameFor(world)));
const writesFor = (world: World) => askedFor(world).filter(({ action }) => /^(Create|Put|Delete)/.test(action));

const PARTS = ['user', 'bucket', 'encryption', 'no_public_access', 'policy', 'key', 'config'];
const all = (state: 'create' | 'exists') => Object.fromEntries(PARTS.map((name) => [name, state]));

test('provisioning is limited to platform admins and requires the field dry_run', async () => {
  const { organizationId } = stage.world;
  for (const client of [stage.member, stage.officer, stage.admin])
    expect((await client.post(path(organizationId), { dry_run: true })).status).toBe(403);
  expect((await stage.nobody.post(path(organizationId), { dry_run: true })).status).toBe(401);
  for (const body of [{}, { dry_run: 'true' }, { dry_run: null }])
    expect(await platform.post(path(organizationId), body)).toMatchObject({
      status: 400,
      body: { errors: { dry_run: [expect.any(String)] } },
    });
  await expectNowhere(stage.world.member.userId, (id) => platform.post(path(id), { dry_run: true }));
  expect(storage.calls()).toEqual([]);
});

test("an organization's own settings for the bucket's name do not decide how it is provisioned", async () => {
  const world = await aWorld();
  const answer = await stage.as(world.admin).put(`/api/organizations/${world.organizationId}/storage-config/`, {
    provider: 's3_compatible',
    endpoint: storage.url,
    region: 'us-west-2',
    bucket: nameFor(world),
    prefix: 'files/',
    access_key_id: 'theirs',
    secret_access_key: 'theirs',
  });
  expect(answer.status).toBe(200);
  expect(await planFor(world)).toMatchObject({ region: 'eu-central-1', bucket: 'create', key: 'create' });
  const made = await platform.post(path(world.organizationId), { dry_run: false });
  expect(made).toMatchObject({
    status: 200,
    body: { storage: { store: { source: 'provisioned', region: 'eu-central-1' } } },
  });
});

test('a plan states what exists, and creates nothing', async () => {
  const world = await aWorld();
  expect(await planFor(world)).toEqual({
    ...all('create'),
    endpoint: storage.url,
    region: 'eu-central-1',
    bucket_name: nameFor(world),
    prefix: 'files/',
    user_name: nameFor(world),
  });
  expect(new Set(askedFor(world).map(({ action }) => action))).toEqual(
    new Set([
      'GetUser',
      'HeadBucket',
      'GetBucketEncryption',
      'GetPublicAccessBlock',
      'GetUserPolicy',
      'ListAccessKeys',
    ]),
  );
  // A user with a key was created by others: its secret is unknown here.
  storage.identities.add(nameFor(world));
  storage.identities.addKey(storage.identities.user(nameFor(world)) as never);
  expect(await planFor(world)).toMatchObject({ ...all('create'), user: 'exists' });
  expect(writesFor(world)).toEqual([]);
  expect(await asOwner('SELECT id FROM storage_configs WHERE organization_id = $1', [world.organizationId])).toEqual(
    [],
  );
});

test('a plan reports refusals and outages of the provider by error codes', async () => {
  const world = await aWorld();
  const planned = () => platform.post(path(world.organizationId), { dry_run: true });
  storage.giveToOtherAccount(nameFor(world));
  expect(await planned()).toMatchObject({ status: 409, body: { code: 'storage_bucket_taken' } });
  const restore = storage.revoke(STORAGE_PROVISIONER.accessKeyId);
  expect(await planned()).toMatchObject({ status: 409, body: { code: 'storage_credentials_refused' } });
  restore();
  storage.fail(503, 2, 'GetUser');
  const unavailable = await planned();
  expect(unavailable).toMatchObject({ status: 503, body: { code: 'storage_provider_unavailable' } });
  expect(unavailable.headers.get('retry-after')).toBe('30');
  const { storageProvisioning } = config;
  Object.assign(config, { storageProvisioning: null });
  expect(await planned()).toMatchObject({ status: 409, body: { code: 'storage_provisioning_off' } });
  Object.assign(config, { storageProvisioning });
});

test('provisioning twice changes nothing, and the secret is in no answer, row or history', async () => {
  const world = await aWorld();
  const { organizationId } = world;
  const first = await made(world);
  expect([first.status, first.body]).toMatchObject([
    200,
    {
      plan: null,
      provisioning: { number: 1, status: 'completed', workflow_id: `storage-provisioning/${organizationId}/1` },
      storage: {
        store: {
          provider: 's3_compatible',
          endpoint: storage.url,
          region: 'eu-central-1',
          bucket: nameFor(world),
          prefix: 'files/',
          source: 'provisioned',
          is_active: true,
        },
      },
    },
  ]);
  expect(keysOf(world)).toMatchObject([{ accessKeyId: first.body.storage.store.access_key_id, active: true }]);
  expect(await planFor(world)).toMatchObject(all('exists'));
  expect(await tried(world)).toEqual({ failed_step: null, answer: null });
  expect((await upload(world)).status).toBe(201);
  expect(storage.objectsIn(nameFor(world)).keys()).toEqual([expect.stringMatching(`^files/${organizationId}/`)]);

  const before = writesFor(world).filter(({ target }) => !target.includes('/'));
  const second = await made(world);
  expect([second.status, second.body.provisioning.number]).toEqual([200, 2]);
  const { store, version } = second.body.storage;
  expect([store.id, store.access_key_id, version]).toEqual([
    first.body.storage.store.id,
    first.body.storage.store.access_key_id,
    first.body.storage.version,
  ]);
  expect(writesFor(world).filter(({ target }) => !target.includes('/'))).toEqual(before);

  const { workflow_id } = first.body.provisioning;
  await temporal().workflow.getHandle(workflow_id).result();
  await recordHistory(workflow_id, 'storageProvisioning-completed');
  const stored = await asOwner<{ said: string }>(
    `SELECT said FROM (SELECT to_jsonb(a)::text AS said FROM audit_log a UNION ALL SELECT to_jsonb(v)::text FROM audit_values v
       UNION ALL SELECT to_jsonb(o)::text FROM outbox o UNION ALL SELECT to_jsonb(c)::text FROM storage_configs c
       UNION ALL SELECT to_jsonb(p)::text FROM storage_provisionings p) every`,
  );
  const history = await historyOf(workflow_id);
  expect(history).toContain(organizationId);
  const secretAccessKey = keysOf(world)[0]?.secretAccessKey as string;
  expect(secretAccessKey).toMatch(/^\S{40}$/);
  expect([...stored.map((row) => row.said), history, JSON.stringify([first.body, second.body])].join()).not.toContain(
    secretAccessKey,
  );
});

test('two simultaneous requests share one process', async () => {
  const world = await aWorld();
  const [one, two] = await Promise.all([made(world), made(world)]);
  expect([one.status, two.status]).toEqual([200, 200]);
  expect(one.body.provisioning.id).toBe(two.body.provisioning.id);
  expect(await rowsOf(world)).toMatchObject([{ number: 1, status: 'completed' }]);
  expect(writesFor(world).map(({ action }) => action)).toEqual(
    expect.arrayContaining(['CreateUser', 'CreateBucket', 'CreateAccessKey']),
  );
  expect(writesFor(world).filter(({ action }) => action === 'CreateAccessKey')).toHaveLength(1);
});

test('a key that stopped working is deleted before a new one is created, and uploads get 503 until then', async () => {
  const world = await aWorld();
  const { access_key_id: old } = (await made(world)).body.storage.store;
  storage.identities.disableKey(old);
  const { accessKeyId: stranger } = storage.identities.addKey(storage.identities.user(nameFor(world)) as never);
  const refused = await upload(world);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await planFor(world)).toMatchObject({ ...all('exists'), key: 'create', config: 'create' });
  const from = askedFor(world).length;
  const again = await made(world);
  const { access_key_id: key } = again.body.storage.store;
  expect(keysOf(world)).toMatchObject([{ accessKeyId: key, active: true }]);
  expect([old, stranger]).not.toContain(key);
  const keyCalls = askedFor(world)
    .slice(from)
    .map(({ action }) => action)
    .filter((action) => action.includes('AccessKey'));
  expect(keyCalls.slice(0, 4)).toEqual(['ListAccessKeys', 'DeleteAccessKey', 'DeleteAccessKey', 'CreateAccessKey']);
  expect((await upload(world)).status).toBe(201);
});

test('a refusal of the provider ends the process with its reason, and a new request starts another', async () => {
  const world = await aWorld();
  const restore = storage.revoke(STORAGE_PROVISIONER.accessKeyId);
  expect(await made(world)).toMatchObject({ status: 409, body: { code: 'storage_credentials_refused' } });
  restore();
  const [failed] = await rowsOf(world);
  expect(failed).toMatchObject({ status: 'failed', problem: 'credentials_refused', answer: 'InvalidClientTokenId' });
  const id = `storage-provisioning/${world.organizationId}/1`;
  expect(await temporal().workflow.getHandle(id).result()).toBe('failed');
  await recordHistory(id, 'storageProvisioning-failed');
  expect(await made(world)).toMatchObject({ status: 200, body: { provisioning: { number: 2, status: 'completed' } } });

  const beside = await aWorld();
  storage.giveToOtherAccount(nameFor(beside));
  expect(await made(beside)).toMatchObject({ status: 409, body: { code: 'storage_bucket_taken' } });
  expect(writesFor(beside).map(({ action }) => action)).toEqual(['CreateUser']);
});

test('a provisioned storage can be left and chosen again, and counts as manual once a key is entered', async () => {
  const world = await aWorld();
  const { store } = (await made(world)).body.storage;
  const address = `/api/platform/organizations/${world.organizationId}/storage-config/`;
  expect((await platform.delete(address)).status).toBe(204);
  expect(await planFor(world)).toMatchObject({ ...all('exists'), config: 'create' });
  expect((await made(world)).body.storage.store).toMatchObject({ id: store.id, access_key_id: store.access_key_id });
  // The key of the user with a wrong secret: the entered secret is not trusted.
  const entered = await platform.put(address, {
    provider: 's3_compatible',
    endpoint: storage.url,
    region: 'eu-central-1',
    bucket: nameFor(world),
    prefix: 'files/',
    access_key_id: store.access_key_id,
    secret_access_key: 'another',
  });
  expect(entered).toMatchObject({ status: 200, body: { store: { id: store.id, source: 'manual' } } });
  const again = await made(world);
  expect(again.body.storage.store).toMatchObject({ id: store.id, source: 'provisioned' });
  expect(keysOf(world)).toMatchObject([{ accessKeyId: again.body.storage.store.access_key_id }]);
});

describe('provisioning steps', () => {
  const begun = async () => {
    const world = await aWorld();
    const [row] = await asOwner<{ id: string }>(
      'INSERT INTO storage_provisionings (organization_id, number) VALUES ($1, 1) RETURNING id',
      [world.organizationId],
    );
    const input = { organizationId: world.organizationId, provisioningId: row?.id as string, number: '1' };
    return { world, input };
  };

  test('a repeated step finds existing parts, and a lost answer leaves one key, which is recorded', async () => {
    const { world, input } = await begun();
    for (let times = 0; times < 2; times += 1) expect(await environment.run(prepareStorage, input)).toBeNull();
    storage.fail('lost', 1, 'CreateAccessKey');
    await expect(environment.run(issueStorageKey, input)).rejects.toMatchObject({ name: 'ProvisioningUnavailable' });
    const [lost] = keysOf(world);
    expect(await environment.run(issueStorageKey, input)).toBeNull();
    const [remaining] = keysOf(world);
    expect([keysOf(world).length, remaining?.accessKeyId === lost?.accessKeyId]).toEqual([1, false]);
    expect(await environment.run(issueStorageKey, input)).toBeNull();
    expect(keysOf(world)).toEqual([remaining]);
    // New files stay in the former storage until the new one is tested, and keys of other tries are deleted.
    const active = () =>
      asOwner('SELECT access_key_id FROM storage_configs WHERE organization_id = $1 AND is_active', [
        world.organizationId,
      ]);
    expect(await active()).toEqual([]);
    storage.identities.addKey(storage.identities.user(nameFor(world)) as never);
    storage.fail(503, 3, 'PutObject');
    await expect(environment.run(openStorage, input)).rejects.toMatchObject({ name: 'StorageNotUsable' });
    expect([keysOf(world).length, await active()]).toEqual([2, []]);
    for (let times = 0; times < 2; times += 1) expect(await environment.run(openStorage, input)).toBeNull();
    expect([keysOf(world), await active()]).toEqual([[remaining], [{ access_key_id: remaining?.accessKeyId }]]);
    expect(await rowsOf(world)).toMatchObject([{ status: 'completed' }]);
  });

  test('the open step creates another key when the recorded one stays unknown for several tries', async () => {
    const { world, input } = await begun();
    for (const step of [prepareStorage, issueStorageKey]) await environment.run(step, input);
    const user = storage.identities.user(nameFor(world));
    const [first] = keysOf(world);
    storage.identities.removeKey(user as never, first?.accessKeyId as string);
    await expect(environment.run(openStorage, input)).rejects.toMatchObject({ name: 'StorageNotUsable' });
    expect(keysOf(world)).toEqual([]);
    const later = new MockActivityEnvironment({ attempt: 5 });
    await expect(later.run(openStorage, input)).rejects.toMatchObject({ name: 'StorageNotUsable' });
    expect(await later.run(openStorage, input)).toBeNull();
    const [second] = keysOf(world);
    expect(await rowsOf(world)).toMatchObject([{ status: 'completed' }]);
    expect(second?.accessKeyId).not.toBe(first?.accessKeyId);
  });

  test('steps do nothing after their provisioning has ended, and the first outcome stays', async () => {
    const { world, input } = await begun();
    await stopStorageProvisioning(input);
    await failStorageProvisioning(input, { problem: 'unavailable', answer: null });
    for (const step of [prepareStorage, issueStorageKey, openStorage])
      expect(await environment.run(step, input)).toBeNull();
    expect(await rowsOf(world)).toMatchObject([{ status: 'cancelled', problem: null }]);
    expect(askedFor(world)).toEqual([]);
  });
});

/** The history of a process in Temporal, with its payloads. */
async function historyOf(workflowId: string): Promise<string> {
  const { History } = protobuf.api.history.v1;
  const history = await temporal().workflow.getHandle(workflowId).fetchHistory();
  return Buffer.from(History.encode(History.create(history as object)).finish()).toString('latin1');
}
