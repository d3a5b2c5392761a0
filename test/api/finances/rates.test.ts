import { randomUUID } from 'node:crypto';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (id = stage.world.organizationId) => `/api/hq/dues/${id}/rates/`;
const rate = (status: string, amount_cents = 12_500) => ({ term: stage.world.termId, status, amount_cents });

test('rates need a signed-in organization admin', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.get(path())).toMatchObject({ status: 403 });
  expect(await stage.officer.post(path(), rate('undergrad'))).toMatchObject({ status: 403 });
});

test('a rate is set, listed, changed and removed', async () => {
  const created = await stage.admin.post(path(), rate('undergrad'));
  expect(created).toMatchObject({ status: 201, body: { ...rate('undergrad'), term_name: 'Current', version: 1 } });
  const row = `${path()}${created.body.id}/`;
  expect((await stage.admin.get(`${path()}?status=undergrad`)).body).toMatchObject({
    count: 1,
    results: [{ id: created.body.id }],
  });
  expect(await stage.admin.patch(row, { amount_cents: 9_900, version: 1 })).toMatchObject({
    status: 200,
    body: { amount_cents: 9_900, version: 2 },
  });
  expect(await stage.admin.patch(row, { amount_cents: 1, version: 1 })).toMatchObject({
    status: 409,
    body: { code: 'stale_version' },
  });
  expect(await stage.admin.delete(row)).toMatchObject({ status: 204 });
  expect(await stage.admin.delete(row)).toMatchObject({ status: 404 });
  const actions = await asOwner('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [created.body.id]);
  expect(actions.map(({ action }) => action)).toEqual(['dues_rate.created', 'dues_rate.updated', 'dues_rate.deleted']);
});

test('a status has one rate a term', async () => {
  await stage.admin.post(path(), rate('associate'));
  expect(await stage.admin.post(path(), rate('associate', 1))).toMatchObject({
    status: 409,
    body: { code: 'rate_exists' },
  });
});

test("another organization's rates and terms are not there", async () => {
  const foreign = await stage
    .as(stage.other.admin)
    .post(path(stage.other.organizationId), { ...rate('undergrad'), term: stage.other.termId });
  expect(foreign.status).toBe(201);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(foreign.body.id, (id) => stage.admin.patch(`${path()}${id}/`, { amount_cents: 1 }));
  await expectNowhere(foreign.body.id, (id) => stage.admin.delete(`${path()}${id}/`));
  for (const term of [stage.other.termId, randomUUID()]) {
    expect(await stage.admin.post(path(), { ...rate('alumni'), term })).toMatchObject({
      status: 400,
      body: { errors: { term: [expect.any(String)] } },
    });
  }
});

test.each([
  ['term', 'soon'],
  ['status', 'friend'],
  ['amount_cents', 0],
  ['amount_cents', -5],
  ['amount_cents', 1.5],
  ['amount_cents', 1e12],
  ['amount_cents', '100'],
  ['currency', 'usd'],
])('%s: %j is refused by name', async (field, value) => {
  const answer = await stage.admin.post(path(), { ...rate('alumni'), [field]: value });
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
});

test('unknown filters and orderings are refused by name', async () => {
  expect(await stage.admin.get(`${path()}?colour=red`)).toMatchObject({
    status: 400,
    body: { errors: { colour: [expect.any(String)] } },
  });
  expect(await stage.admin.get(`${path()}?ordering=colour`)).toMatchObject({
    status: 400,
    body: { errors: { ordering: [expect.any(String)] } },
  });
});

test('the list is one statement inside the request', async () => {
  expect(await countStatements(() => stage.admin.get(path()))).toBe(3);
});
