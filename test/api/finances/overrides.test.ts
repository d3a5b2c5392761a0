import { randomUUID } from 'node:crypto';
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const path = (id = stage.world.organizationId) => `/api/hq/dues/${id}/billing-overrides/`;
const override = (chapter = stage.world.chapterId) => ({
  chapter,
  effective_term: stage.world.termId,
  billing_mode: 'bill_chapter',
});

test('overrides need a signed-in organization admin', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.officer.post(path(), override())).toMatchObject({ status: 403 });
});

test('an override is made, listed, changed and removed', async () => {
  const created = await stage.admin.post(path(), override());
  expect(created).toMatchObject({
    status: 201,
    body: { ...override(), chapter_name: 'Alpha', effective_term_name: 'Current', version: 1 },
  });
  const row = `${path()}${created.body.id}/`;
  expect(await stage.admin.post(path(), override())).toMatchObject({ status: 409, body: { code: 'override_exists' } });
  expect((await stage.admin.get(`${path()}?chapter=${stage.world.chapterId}`)).body).toMatchObject({ count: 1 });
  expect((await stage.admin.get(`${path()}?chapter=${stage.world.otherChapterId}`)).body).toMatchObject({
    count: 0,
    results: [],
  });
  expect(await stage.admin.patch(row, { billing_mode: 'bill_member' })).toMatchObject({
    status: 200,
    body: { billing_mode: 'bill_member', version: 2 },
  });
  expect(await stage.admin.patch(row, { billing_mode: 'bill_chapter', version: 1 })).toMatchObject({ status: 409 });
  expect(await stage.admin.delete(row)).toMatchObject({ status: 204 });
});

test("another organization's overrides, chapters and terms are not there", async () => {
  const { other } = stage;
  const theirs = { chapter: other.chapterId, effective_term: other.termId, billing_mode: 'bill_chapter' };
  const foreign = await stage.as(other.admin).post(path(other.organizationId), theirs);
  await expectNowhere(other.organizationId, (id) => stage.admin.get(path(id)));
  await expectNowhere(foreign.body.id, (id) => stage.admin.patch(`${path()}${id}/`, { billing_mode: 'bill_member' }));
  await expectNowhere(foreign.body.id, (id) => stage.admin.delete(`${path()}${id}/`));
  for (const [field, id] of [
    ['chapter', other.chapterId],
    ['chapter', randomUUID()],
    ['effective_term', other.termId],
  ] as const) {
    const answer = await stage.admin.post(path(), { ...override(stage.world.otherChapterId), [field]: id });
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
  }
});

test.each([
  ['chapter', 'Alpha'],
  ['effective_term', 7],
  ['billing_mode', 'bill_nobody'],
  ['amount_cents', 1],
])('%s: %j is refused by name', async (field, value) => {
  const answer = await stage.admin.post(path(), { ...override(), [field]: value });
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
});

test('the list is one statement inside the request', async () => {
  expect(await countStatements(() => stage.admin.get(path()))).toBe(3);
});
