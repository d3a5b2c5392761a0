import { uuidv7 } from '../../../models/database/uuid.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aPlatformAdmin } from '../../support/world.js';

const stage = apiWorld();
const PATH = '/api/platform/alerts/';
const ALERT = {
  title: 'Maintenance on Sunday',
  body: 'The platform rests from 02:00 to 03:00 UTC.',
  audience: 'admins',
};

const platform = async () => stage.as(await aPlatformAdmin());

test('a platform admin publishes an alert, which a process sends to every organization', async () => {
  const { status, body } = await (await platform()).post(PATH, ALERT);
  expect([status, body]).toMatchObject([201, { ...ALERT, id: expect.any(String), status: 'running' }]);
  expect(await asOwner('SELECT process FROM outbox WHERE workflow_id = $1', [`platform-alert/${body.id}`])).toEqual([
    { process: 'platformAlert' },
  ]);
});

test.each([
  [{ ...ALERT, title: 'Two\r\nBcc: lines' }, 'title'],
  [{ ...ALERT, title: '' }, 'title'],
  [{ ...ALERT, body: 'x'.repeat(501) }, 'body'],
  [{ ...ALERT, audience: 'donors' }, 'audience'],
  [{ ...ALERT, urgent: true }, 'urgent'],
])('%j is refused', async (body, field) => {
  const refused = await (await platform()).post<{ errors: object }>(PATH, body);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
});

test('an alert repeated with its idempotency key, even concurrently, is published once', async () => {
  const author = await platform();
  const send = (more: object = {}) =>
    author.post<{ id: string; code: string }>(PATH, { ...ALERT, idempotency_key: 'sunday', ...more });
  const answers = await Promise.all([send(), send(), send()]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 200, 201]);
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1);
  expect(await send({ title: 'Maintenance on Monday' })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_mismatch' },
  });
  expect((await (await platform()).post(PATH, { ...ALERT, idempotency_key: 'sunday' })).status).toBe(201);
  for (const key of ['', 'two words', 7, 'x'.repeat(101)])
    expect((await send({ idempotency_key: key })).status).toBe(400);
});

test('platform admins list alerts, newest first, by status and audience', async () => {
  await asOwner('DELETE FROM platform_alerts');
  const author = await platform();
  const ids: string[] = [];
  for (const audience of ['admins', 'everyone', 'admins'])
    ids.push((await author.post<{ id: string }>(PATH, { ...ALERT, audience })).body.id);
  const [first, second, third] = ids;
  await asOwner(`UPDATE platform_alerts SET status = 'done', closed_at = now() WHERE id = $1`, [first]);
  const listed = async (query: string) => {
    const { body } = await author.get<{ count: number; results: { id: string }[] }>(`${PATH}${query}`);
    return { count: body.count, ids: body.results.map(({ id }) => id) };
  };
  expect(await listed('')).toEqual({ count: 3, ids: [third, second, first] });
  expect(await listed('?ordering=created_at')).toEqual({ count: 3, ids: [first, second, third] });
  expect(await listed('?page=2&page_size=2')).toEqual({ count: 3, ids: [first] });
  expect(await listed('?status=running&audience=admins')).toEqual({ count: 1, ids: [third] });
  expect(await listed('?status=done')).toEqual({ count: 1, ids: [first] });
  expect((await author.get(`${PATH}?status=lost`)).status).toBe(400);
  expect((await author.get(`${PATH}?page=9`)).status).toBe(404);
});

test('platform admins read one alert with its status', async () => {
  const author = await platform();
  const { id } = (await author.post(PATH, { ...ALERT, idempotency_key: 'read-me' })).body;
  const alert = (await author.get(`${PATH}${id}/`)).body;
  expect(alert).toMatchObject({ ...ALERT, id, status: 'running', closed_at: null, created_by: expect.any(String) });
  expect(alert).not.toHaveProperty('idempotency_key');
  expect((await author.get(`${PATH}${uuidv7()}/`)).status).toBe(404);
});

test('other people can neither publish nor read alerts', async () => {
  const { id } = (await (await platform()).post(PATH, ALERT)).body;
  expect(await stage.admin.post(PATH, ALERT)).toMatchObject({ status: 403 });
  expect(await stage.nobody.post(PATH, ALERT)).toMatchObject({ status: 401 });
  for (const address of [PATH, `${PATH}${id}/`]) {
    expect(await stage.admin.get(address)).toMatchObject({ status: 403 });
    expect(await stage.nobody.get(address)).toMatchObject({ status: 401 });
  }
});
