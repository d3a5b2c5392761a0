import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const stage = apiWorld();
const DIRECTORY = '/api/organizations/public/directory/';
const chapters = (query = '', slug = stage.world.slug) => `/api/organizations/public/${slug}/chapters/${query}`;
const own = () => `/api/organizations/${stage.world.organizationId}/`;
const slugs = async (query = '') =>
  (await stage.nobody.get(DIRECTORY + query)).body.map(({ slug }: { slug: string }) => slug);
const names = async (query = '') =>
  (await stage.nobody.get(chapters(query))).body.map(({ name }: { name: string }) => name);

test('anonymous callers read the listed organizations as a bare array with public fields only', async () => {
  const { body } = await stage.nobody.get(DIRECTORY);
  expect(body.map(({ slug }: { slug: string }) => slug)).toEqual(
    expect.arrayContaining([stage.world.slug, stage.other.slug]),
  );
  const fields = ['accepts_account_requests', 'name', 'org_type', 'primary_color', 'slug'];
  expect(Object.keys(body[0]).sort()).toEqual(fields);
  expect(await slugs(`?search=${stage.world.slug.toUpperCase()}`)).toEqual([stage.world.slug]);
  expect(await slugs('?search=%25')).toEqual([]);
});

test('active chapters are listed and filtered by name, state and words', async () => {
  const { chapterId, organizationId } = stage.world;
  await stage.admin.patch(`/api/chapters/${chapterId}/`, { state: 'OH', city: 'Akron' });
  expect(await names()).toEqual(['Alpha', 'Beta']);
  expect(await names('?state=oh')).toEqual(['Alpha']);
  expect(await names('?search=akr')).toEqual(['Alpha']);
  expect(await names('?state=OH&search=beta')).toEqual([]);
  const [alpha] = (await stage.nobody.get(chapters())).body;
  expect(Object.keys(alpha).sort()).toEqual(['city', 'designation', 'id', 'name', 'state', 'university']);
  await stage.admin.patch(`/api/chapters/${chapterId}/`, { status: 'suspended', reason: 'Under review' });
  expect(await names()).toEqual(['Beta']);
  await stage.admin.patch(`/api/chapters/${chapterId}/`, { status: 'active', reason: 'Cleared' });
  expect(await asOwner('SELECT FROM chapters WHERE organization_id = $1', [organizationId])).toHaveLength(2);
});

test('an unknown, an unlisted and an inactive organization give the same 404', async () => {
  const unknown = await stage.nobody.get(chapters('', 'nobody-at-all'));
  expect(unknown.status).toBe(404);
  await stage.admin.patch(own(), { listed: false });
  expect(await stage.nobody.get(chapters())).toMatchObject({ status: 404, body: unknown.body });
  expect(await slugs()).not.toContain(stage.world.slug);
  expect((await stage.member.get(own())).body.listed).toBe(false);
  await stage.admin.patch(own(), { listed: true });
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [stage.other.organizationId]);
  expect(await stage.nobody.get(chapters('', stage.other.slug))).toMatchObject({ status: 404, body: unknown.body });
  expect(await slugs()).not.toContain(stage.other.slug);
  await asOwner('UPDATE organizations SET is_active = true WHERE id = $1', [stage.other.organizationId]);
});

test.each(['/api/organizations/public/directory/', null])(
  'a client with the current answer gets 304: %s',
  async (at) => {
    const address = at ?? chapters();
    const first = await stage.nobody.get(address);
    const etag = first.headers.get('etag') as string;
    expect(etag).toMatch(/^"[\w-]{43}"$/);
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    const ask = (known: string) => fetch(stage.api.url + address, { headers: { 'If-None-Match': known } });
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await ask(known);
      expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    }
    expect((await ask('"other"')).status).toBe(200);
    await stage.admin.patch(own(), { name: `Renamed ${Date.now()}` });
    await stage.admin.patch(`/api/chapters/${stage.world.chapterId}/`, { city: `City ${Date.now()}` });
    expect((await ask(etag)).status).toBe(200);
  },
);

test('each public list is answered by a constant number of statements', async () => {
  expect(await countStatements(() => stage.nobody.get(DIRECTORY))).toBe(
    await countStatements(() => stage.nobody.get(`${DIRECTORY}?search=o`)),
  );
  const before = await countStatements(() => stage.nobody.get(chapters()));
  await stage.admin.post(`${own()}chapters/`, { name: 'Another' });
  expect(await countStatements(() => stage.nobody.get(chapters()))).toBe(before);
});
