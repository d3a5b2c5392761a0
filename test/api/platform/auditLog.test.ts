/** The platform's audit log: every change under /api/platform/ writes to it, and only platform admins read it. */
import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import { OWN_STORAGE, STORAGE_PROVISIONER } from '../../../development/stack/storage.js';
import { allRoutes } from '../../../api/routes.js';
import type { Client, Reply } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlatformAdmin, aUser } from '../../support/world.js';

const ENDPOINT = 'http://127.0.0.1:9';
Object.assign(config, {
  PAY_WAIT_SECONDS: 0.05,
  STORAGE_ALLOWED_HOSTS: [new URL(ENDPOINT).host],
  storageProvisioning: {
    ...STORAGE_PROVISIONER,
    region: 'eu-central-1',
    name: 'membership',
    endpoint: ENDPOINT,
    identityEndpoint: ENDPOINT,
  },
});

const PATH = '/api/platform/audit-log/';
const stage = apiWorld();
const { world } = stage;
let platform: Client;
let platformId: string;

beforeAll(async () => {
  const admin = await aPlatformAdmin();
  platformId = admin.userId;
  platform = stage.as(admin);
});

/** Routes that change nothing, each with the reason. */
const READING: Readonly<Record<string, string>> = {
  'POST /api/platform/organizations/:organization_id/storage-config/test/': 'It only tests the store.',
};

type Row = { id: string };
type Call = (
  send: <Body>(method: string, path: string, body?: object) => Promise<Reply<Body>>,
) => Promise<Reply<unknown>>;
/** Ids that earlier calls have returned. */
const made: Record<string, string> = {};
const inOrganization = (rest: string, { organizationId } = world) =>
  `/api/platform/organizations/${organizationId}/${rest}`;
const migration = (rest = '') => inOrganization(`storage-migrations/${rest}`);

/** One change by each route, in the order in which they are made. */
const CALLS: Record<string, Call> = {
  'POST /api/platform/organizations/': (send) =>
    send('POST', '/api/platform/organizations/', {
      name: 'New',
      slug: `new-${randomUUID()}`,
      admin: { email: 'first@admins.example', first_name: 'Fay', last_name: 'First' },
    }),
  'POST /api/platform/organizations/:organization_id/suspend/': (send) =>
    send('POST', inOrganization('suspend/', stage.other)),
  'POST /api/platform/organizations/:organization_id/reactivate/': (send) =>
    send('POST', inOrganization('reactivate/', stage.other)),
  'POST /api/platform/organizations/:organization_id/verified-domains/': async (send) => {
    const answer = await send<Row>('POST', inOrganization('verified-domains/'), { domain: 'alpha.example' });
    made['domain'] = answer.body.id;
    return answer;
  },
  'DELETE /api/platform/organizations/:organization_id/verified-domains/:id/': (send) =>
    send('DELETE', inOrganization(`verified-domains/${made['domain']}/`)),
  'PUT /api/platform/organizations/:organization_id/storage-config/': async (send) => {
    const answer = await send<{ store: Row }>('PUT', inOrganization('storage-config/'), {
      provider: 's3_compatible',
      endpoint: ENDPOINT,
      region: 'us-east-1',
      bucket: OWN_STORAGE.bucket,
      access_key_id: OWN_STORAGE.accessKeyId,
      secret_access_key: OWN_STORAGE.secretAccessKey,
    });
    made['store'] = answer.body.store.id;
    return answer;
  },
  'POST /api/platform/organizations/:organization_id/storage-migrations/': async (send) => {
    const body = { from: null, to: made['store'], dry_run: false };
    const answer = await send<{ migration: Row }>('POST', migration(), body);
    made['migration'] = answer.body.migration.id;
    return answer;
  },
  'POST /api/platform/organizations/:organization_id/storage-migrations/:id/cancel/': (send) =>
    send('POST', migration(`${made['migration']}/cancel/`)),
  'POST /api/platform/organizations/:organization_id/storage-migrations/:id/retry/': (send) =>
    send('POST', migration(`${made['migration']}/retry/`)),
  'POST /api/platform/organizations/:organization_id/storage-migrations/:id/purge-source/': async (send) => {
    await asOwner(
      `UPDATE storage_migrations SET status = 'completed', ended_at = now() - interval '8 days' WHERE id = $1`,
      [made['migration']],
    );
    return send('POST', migration(`${made['migration']}/purge-source/`));
  },
  'DELETE /api/platform/organizations/:organization_id/storage-config/': (send) =>
    send('DELETE', inOrganization('storage-config/')),
  'POST /api/platform/organizations/:organization_id/storage-config/provision/': (send) =>
    send('POST', inOrganization('storage-config/provision/'), { dry_run: false }),
  'POST /api/platform/admins/': async (send) => {
    made['admin'] = await aUser();
    return send('POST', '/api/platform/admins/', { user: made['admin'] });
  },
  'DELETE /api/platform/admins/:id/': (send) => send('DELETE', `/api/platform/admins/${made['admin']}/`),
  'POST /api/platform/users/:id/disable/': async (send) => {
    made['user'] = (await aMember(world.organizationId, world.chapterId)).userId;
    return send('POST', `/api/platform/users/${made['user']}/disable/`, {});
  },
  'POST /api/platform/users/:id/enable/': (send) => send('POST', `/api/platform/users/${made['user']}/enable/`),
  'POST /api/platform/alerts/': (send) =>
    send('POST', '/api/platform/alerts/', { title: 'Maintenance', body: 'Tonight.', audience: 'admins' }),
};

test('every change under /api/platform/ writes to the log, without values about people', async () => {
  const changing = allRoutes
    .filter(({ method, path }) => method !== 'get' && path.startsWith('/api/platform/'))
    .map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(changing.toSorted()).toEqual([...Object.keys(CALLS), ...Object.keys(READING)].toSorted());
  for (const [route, call] of Object.entries(CALLS)) {
    const requestId = randomUUID();
    const { status, body } = await call((method, path, sent) =>
      platform.send(method, path, sent, { 'X-Request-Id': requestId }),
    );
    expect([route, status < 300 ? 'accepted' : body]).toEqual([route, 'accepted']);
    const { results } = (await platform.get(`${PATH}?request_id=${requestId}`)).body;
    expect([route, results]).toEqual([
      route,
      expect.arrayContaining([expect.objectContaining({ actor: expect.objectContaining({ id: platformId }) })]),
    ]);
  }
  const { count, results } = (await platform.get(`${PATH}?page_size=100`)).body;
  expect(count).toBe(results.length);
  expect(JSON.stringify(results.map(({ before, after }: Record<string, unknown>) => [before, after]))).not.toMatch(
    /admins\.example|Fay|example\.org/,
  );
  expect(results.find(({ action }: { action: string }) => action === 'domain.withdrawn')).toMatchObject({
    organization: world.organizationId,
    subject_type: 'verified_domain',
    subject_id: made['domain'],
    before: { domain: 'alpha.example' },
  });
  // A change that its transaction refuses leaves no entry.
  expect((await platform.post(inOrganization('verified-domains/'), { domain: 'alpha.example' })).status).toBe(201);
  const before = (await platform.get(PATH)).body.count;
  expect((await platform.post(inOrganization('verified-domains/'), { domain: 'alpha.example' })).status).toBe(409);
  expect((await platform.get(PATH)).body.count).toBe(before);
});

test('changes by an organization itself are not in the log of the platform', async () => {
  const region = await stage.admin.post(`/api/organizations/${world.organizationId}/regions/`, { name: 'West' });
  expect(region.status).toBe(201);
  expect((await platform.get(`${PATH}?subject_id=${region.body.id}`)).body.count).toBe(0);
});

test('only platform admins read the log, and each filter narrows it', async () => {
  for (const person of [world.admin, world.member]) expect((await stage.as(person).get(PATH)).status).toBe(403);
  expect((await stage.nobody.get(PATH)).status).toBe(401);
  const all = (await platform.get(PATH)).body.count as number;
  const count = async (query: string) => (await platform.get(`${PATH}?${query}`)).body.count as number;
  for (const query of [
    'action=organization.created',
    'subject_type=verified_domain',
    `subject_id=${made['migration']}`,
    `since=${new Date(Date.now() - 3_600_000).toISOString()}&subject_type=user`,
  ]) {
    const found = await count(query);
    expect([query, found > 0 && found < all]).toEqual([query, true]);
  }
  expect(await count(`actor=${platformId}`)).toBe(all);
  expect(await count(`actor=${world.admin.userId}`)).toBe(0);
  expect(await count(`until=${new Date(Date.now() - 3_600_000).toISOString()}`)).toBe(0);
  for (const [field, query] of [
    ['actor', 'actor=x'],
    ['since', 'since=yesterday'],
    ['page_size', 'page_size=0'],
  ] as const) {
    const { status, body } = await platform.get(`${PATH}?${query}`);
    expect([query, status, Object.keys(body.errors)]).toEqual([query, 400, [field]]);
  }
  const filter = 'subject_type=verified_domain';
  const { results } = (await platform.get(`${PATH}?${filter}`)).body;
  const { body: table } = await platform.get(`${PATH}?${filter}&page_size=1&format=csv`);
  const [titles, ...lines] = (table as string).trim().split('\r\n');
  expect(titles).toContain('actor_email,organization,subject_type');
  expect(lines.map((line) => line.slice(0, 36))).toEqual(results.map(({ id }: Row) => id));
  const few = await countStatements(() => platform.get(`${PATH}?page_size=1`));
  expect([few, await countStatements(() => platform.get(`${PATH}?page_size=100`))]).toEqual([few, few]);
});
