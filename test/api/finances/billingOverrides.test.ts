import { randomUUID } from 'node:crypto';
import { apiWorld } from '../../support/apiWorld.js';
import { behavesAsAResource } from '../../support/resource.js';
import { aTerm } from '../../support/world.js';

const stage = apiWorld();
const path = () => `/api/hq/dues/${stage.world.organizationId}/billing-overrides/`;
const override = () => ({
  chapter: stage.world.chapterId,
  effective_term: stage.world.termId,
  billing_mode: 'bill_chapter',
});

behavesAsAResource({
  stage,
  address: '/api/hq/dues/:organization_id/billing-overrides',
  subject: 'billing_override',
  mayRead: ['admin'],
  mayWrite: ['admin'],
  body: async (world, n) => ({
    chapter: world.otherChapterId,
    effective_term: await aTerm(world, 2200 - n),
    billing_mode: 'bill_chapter',
  }),
  edit: () => ({ billing_mode: 'bill_member' }),
  bad: [
    [{ chapter: 'Alpha' }, 'chapter'],
    [{ chapter: randomUUID() }, 'chapter'],
    [{ effective_term: 7 }, 'effective_term'],
    [{ effective_term: randomUUID() }, 'effective_term'],
    [{ billing_mode: 'bill_nobody' }, 'billing_mode'],
    [{ amount_cents: 1 }, 'amount_cents'],
  ],
});

test('a billing override shows its chapter and term and is found by its chapter', async () => {
  const created = await stage.admin.post(path(), override());
  expect(created).toMatchObject({
    status: 201,
    body: { ...override(), chapter_name: 'Alpha', effective_term_name: 'Current', version: 1 },
  });
  const found = (await stage.admin.get(`${path()}?chapter=${stage.world.chapterId}`)).body;
  expect(found).toMatchObject({ count: 1, results: [created.body] });
  expect((await stage.admin.get(`${path()}?chapter=${randomUUID()}`)).body).toMatchObject({ count: 0, results: [] });
});

test('a chapter has one billing override per term, whose chapter cannot be changed', async () => {
  const term = await aTerm(stage.world, 2201);
  const { id } = (await stage.admin.post(path(), { ...override(), effective_term: term })).body;
  const again = await stage.admin.post(path(), { ...override(), effective_term: term });
  expect(again).toMatchObject({ status: 409, body: { code: 'override_exists' } });
  const moved = await stage.admin.patch(`${path()}${id}/`, { chapter: stage.world.otherChapterId });
  expect(moved).toMatchObject({ status: 400, body: { errors: { chapter: ['Unknown field.'] } } });
});

test("another organization's chapter and term are refused like unknown ones", async () => {
  for (const wrong of [{ chapter: stage.other.chapterId }, { effective_term: stage.other.termId }]) {
    const answer = await stage.admin.post(path(), { ...override(), ...wrong });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: { [Object.keys(wrong)[0] as string]: [expect.stringContaining('no such')] } },
    });
  }
});
