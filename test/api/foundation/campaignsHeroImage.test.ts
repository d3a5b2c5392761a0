import sharp from 'sharp';
import { removeNextFiles } from '../../../activities/organizations/removeFiles.js';
import { config } from '../../../config.js';
import { withStore } from '../../../gateways/storage/withStore.js';
import { objectKey } from '../../../models/organizations/files/storedFiles.js';
import { aStore } from '../../gateways/storage.support.js';
import { Client } from '../../support/api.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation, insertRow } from '../../support/foundation.js';
import { campaignPath } from '../../support/giving.js';
import { asOwner } from '../../support/owner.js';

aStore();
const { api, world, other, as } = apiWorld();
let foundation: Foundation;
let theirs: Foundation;
let picture: Buffer;
beforeAll(async () => {
  foundation = await aFoundation(world);
  theirs = await aFoundation(other);
  picture = await aPicture(2000, 800);
});

const aPicture = (width: number, height: number, background = 'teal') =>
  sharp({ create: { width, height, channels: 3, background } })
    .withExif({ IFD0: { Model: 'Telltale 5000' } })
    .png()
    .toBuffer();
const path = (id = foundation.campaignId) => `/api/foundation/campaigns/${id}/hero-image/`;
const send = async (bytes: Buffer, { id = foundation.campaignId, person = foundation.admin } = {}) => {
  const body = new FormData();
  body.append('file', new File([new Uint8Array(bytes)], 'hero.png'));
  const headers = { Authorization: `Bearer ${person.token}` };
  const response = await fetch(`${api.url}${path(id)}`, { method: 'PUT', headers, body });
  return { status: response.status, body: await response.json() };
};
const publicAddress = () => `${api.url}${campaignPath(foundation)}hero-image/`;
const download = (headers: Record<string, string> = {}) => fetch(publicAddress(), { headers });
const filesOf = () =>
  asOwner<{ id: string; status: string }>(
    "SELECT id, status FROM stored_files WHERE purpose = 'campaign_hero' AND organization_id = $1 ORDER BY created_at",
    [world.organizationId],
  );

test('a picture is drawn anew, shown to everybody, and cached', async () => {
  expect((await download()).status).toBe(404);
  expect(await send(picture)).toMatchObject({ status: 200, body: { id: foundation.campaignId, has_hero_image: true } });
  const response = await download();
  expect([response.status, response.headers.get('content-type'), response.headers.get('cache-control')]).toEqual([
    200,
    'image/jpeg',
    'public, max-age=300',
  ]);
  expect([
    response.headers.get('x-content-type-options'),
    response.headers.get('cross-origin-resource-policy'),
  ]).toEqual(['nosniff', 'cross-origin']);
  const is = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  expect([is.format, is.width, is.height, is.exif]).toEqual(['jpeg', 1600, 640, undefined]);
  const etag = response.headers.get('etag') as string;
  expect((await download({ 'If-None-Match': `"x", ${etag}` })).status).toBe(304);
  expect((await download({ 'If-None-Match': '"x"' })).status).toBe(200);
});

test('the public campaign names it, and its page shows it', async () => {
  const { body } = await as(world.member).get(campaignPath(foundation));
  expect(body.hero_image_url).toBe(`${config.backendUrl}${campaignPath(foundation)}hero-image/`);
  const page = await fetch(`${api.url}/donate/${foundation.foundationId}/${foundation.slug}`);
  expect(await page.text()).toContain(`<img src="${campaignPath(foundation)}hero-image/" alt="">`);
  expect(page.headers.get('content-security-policy')).toContain("img-src 'self'");
});

test('another picture replaces it, and the sweep removes the first from the store', async () => {
  const before = (await download()).headers.get('etag');
  expect((await send(await aPicture(300, 300, 'red'))).status).toBe(200);
  expect((await download()).headers.get('etag')).not.toBe(before);
  expect((await filesOf()).map(({ status }) => status)).toEqual(['removing', 'kept']);
  await asOwner("UPDATE stored_files SET created_at = now() - interval '2 hours' WHERE purpose = 'campaign_hero'");
  await removeNextFiles();
  expect((await filesOf()).map(({ status }) => status)).toEqual(['kept']);
  expect((await download()).status).toBe(200);
});

test.each([
  ['a text', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'file'],
  ['a PDF', () => Buffer.from('%PDF-1.7\n'), 'file'],
  ['an empty file', () => Buffer.alloc(0), 'file'],
  ['a damaged picture', () => Buffer.concat([picture.subarray(0, 300), Buffer.alloc(3_000, 1)]), 'file'],
])('%s is refused, and the picture stays', async (_, bytes, field) => {
  const etag = (await download()).headers.get('etag');
  expect(await send(bytes())).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  expect((await download()).headers.get('etag')).toBe(etag);
});

test('a file above 5 MB is refused', async () => {
  const large = Buffer.concat([picture, Buffer.alloc(5 * 1024 * 1024)]);
  expect((await send(large)).status).toBe(413);
});

test('drafts and campaigns of other visibility show no picture to the public; members see internal ones', async () => {
  const internal = await insertRow('campaigns', {
    organization_id: world.organizationId,
    fund_id: foundation.fundId,
    title: 'Internal',
    slug: 'internal-hero',
    suggested_amounts: [2500],
    visibility: 'internal',
    status: 'active',
    published_at: new Date(),
  });
  expect((await send(picture, { id: internal })).status).toBe(200);
  const internalPath = '/api/foundation/internal/campaigns/internal-hero/';
  expect((await as(world.member).get(internalPath)).body.hero_image_url).toBe(
    `${config.backendUrl}${internalPath}hero-image/`,
  );
  const response = await fetch(`${api.url}${internalPath}hero-image/`, {
    headers: { Authorization: `Bearer ${world.member.token}` },
  });
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, max-age=300']);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  expect((await fetch(publicAddress().replace(foundation.slug, 'internal-hero'))).status).toBe(404);
});

test('an admin deletes it once, and a deleted draft takes its picture along', async () => {
  const remove = (id?: string) => as(foundation.admin).delete(path(id));
  expect((await remove()).status).toBe(204);
  expect((await remove()).status).toBe(404);
  expect((await download()).status).toBe(404);
  const draft = (
    await as(foundation.admin).post('/api/foundation/campaigns/', {
      title: 'Draft',
      slug: 'draft-hero',
      suggested_amounts: [2500],
    })
  ).body.id as string;
  expect((await send(picture, { id: draft })).status).toBe(200);
  const [last] = (await filesOf()).slice(-1);
  expect((await as(foundation.admin).delete(`/api/foundation/campaigns/${draft}/`)).status).toBe(204);
  expect((await filesOf()).find(({ id }) => id === last?.id)?.status).toBe('removing');
  const log = await asOwner<{ action: string; after: unknown }>(
    "SELECT after FROM audit_log WHERE subject_id = $1 AND action = 'campaign.updated' ORDER BY id DESC LIMIT 1",
    [foundation.campaignId],
  );
  expect(log).toEqual([{ after: { has_hero_image: false, hero_image: null } }]);
});

test('a picture that the store has lost is a refusal', async () => {
  expect((await send(picture)).status).toBe(200);
  const id = (await filesOf()).at(-1)?.id as string;
  await withStore(null, (store) => store.remove(objectKey(world.organizationId, id)));
  expect(await new Client(api.url).get(`${campaignPath(foundation)}hero-image/`)).toMatchObject({
    status: 503,
    body: { code: 'storage_unavailable' },
  });
});

test('only admins of the foundation set and delete it, and campaigns of another foundation are unknown', async () => {
  for (const person of [foundation.editor, world.admin, world.member]) {
    expect((await send(picture, { person })).status).toBe(403);
    expect((await as(person).delete(path())).status).toBe(403);
  }
  expect((await send(picture, { id: theirs.campaignId })).status).toBe(404);
  await expectNowhere(theirs.campaignId, (id) => as(foundation.admin).delete(path(id)));
});
