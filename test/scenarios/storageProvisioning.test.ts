/** The platform makes an organization a bucket of its own, with a user, a policy and a key that opens it and nothing else. */
import { config } from '../../config.js';
import { STORAGE_PROVISIONER } from '../../development/stack/storage.js';
import { aStore } from '../gateways/storage.support.js';
import type { Client } from '../support/api.js';
import { apiWorld, expectNowhere } from '../support/apiWorld.js';
import { asOwner } from '../support/owner.js';
import { aPlatformAdmin, aWorld, type World } from '../support/world.js';

const storage = aStore();
const stage = apiWorld();
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
}, 60_000);

const path = (id: string) => `/api/platform/organizations/${id}/storage-config/provision/`;
const nameFor = ({ organizationId }: World) => `membership-${organizationId}`;
const planFor = async ({ organizationId }: World) =>
  (await platform.post<{ plan: object }>(path(organizationId), { dry_run: true })).body.plan;
/** What has been asked for an organization. */
const askedFor = (world: World) => storage.calls().filter(({ target }) => target.startsWith(nameFor(world)));
const writesFor = (world: World) => askedFor(world).filter(({ action }) => /^(Create|Put|Delete)/.test(action));

const PARTS = ['user', 'bucket', 'encryption', 'no_public_access', 'policy', 'key', 'config'];
const all = (state: 'create' | 'exists') => Object.fromEntries(PARTS.map((name) => [name, state]));

test('it is for platform admins alone, and says whether it is a dry run', async () => {
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

test('a plan says truly what is there, and writes nothing', async () => {
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
  // Somebody has made a user with a key: nobody here knows its secret.
  storage.identities.add(nameFor(world));
  storage.identities.addKey(storage.identities.user(nameFor(world)) as never);
  expect(await planFor(world)).toMatchObject({ ...all('create'), user: 'exists' });
  expect(writesFor(world)).toEqual([]);
  expect(await asOwner('SELECT id FROM storage_configs WHERE organization_id = $1', [world.organizationId])).toEqual(
    [],
  );
});

test('what the provider refuses, or does not answer, has a name', async () => {
  const world = await aWorld();
  const planned = () => platform.post(path(world.organizationId), { dry_run: true });
  storage.take(nameFor(world));
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
