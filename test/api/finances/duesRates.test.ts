import { randomUUID } from 'node:crypto';
import { apiWorld } from '../../support/apiWorld.js';
import { behavesAsAResource } from '../../support/resource.js';
import { aTerm } from '../../support/world.js';

const stage = apiWorld();
const path = () => `/api/hq/dues/${stage.world.organizationId}/rates/`;
const rate = (status: string, amount_cents = 12_500) => ({ term: stage.world.termId, status, amount_cents });

behavesAsAResource({
  stage,
  address: '/api/hq/dues/:organization_id/rates',
  subject: 'dues_rate',
  mayRead: ['admin'],
  mayWrite: ['admin'],
  body: async (world, n) => ({ term: await aTerm(world, 2200 - n), status: 'undergrad', amount_cents: 12_500 }),
  edit: (n) => ({ amount_cents: 100 * n }),
  bad: [
    [{ term: 'soon' }, 'term'],
    [{ term: randomUUID() }, 'term'],
    [{ status: 'friend' }, 'status'],
    [{ amount_cents: 0 }, 'amount_cents'],
    [{ amount_cents: -5 }, 'amount_cents'],
    [{ amount_cents: 1.5 }, 'amount_cents'],
    [{ amount_cents: 1e12 }, 'amount_cents'],
    [{ amount_cents: '100' }, 'amount_cents'],
    [{ currency: 'usd' }, 'currency'],
  ],
});

test('a dues rate shows its term and is found by term and status', async () => {
  const created = await stage.admin.post(path(), rate('associate'));
  expect(created).toMatchObject({ status: 201, body: { ...rate('associate'), term_name: 'Current', version: 1 } });
  const found = (await stage.admin.get(`${path()}?status=associate&term=${stage.world.termId}`)).body;
  expect(found).toMatchObject({ count: 1, results: [created.body] });
  expect((await stage.admin.get(`${path()}?term=${randomUUID()}`)).body).toMatchObject({ count: 0, results: [] });
});

test('a status has one dues rate per term', async () => {
  await stage.admin.post(path(), rate('alumni'));
  const again = await stage.admin.post(path(), rate('alumni', 1));
  expect(again).toMatchObject({ status: 409, body: { code: 'rate_exists' } });
});

test('the term and the status of a dues rate cannot be changed', async () => {
  const { id } = (await stage.admin.post(path(), rate('pnm'))).body;
  const answer = await stage.admin.patch(`${path()}${id}/`, { term: stage.world.termId, status: 'alumni' });
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: { term: ['Unknown field.'], status: ['Unknown field.'] } },
  });
});

test("another organization's term is refused like an unknown one", async () => {
  const answer = await stage.admin.post(path(), { ...rate('alumni'), term: stage.other.termId });
  expect(answer).toMatchObject({ status: 400, body: { errors: { term: ['There is no such term.'] } } });
});

test('an unknown ordering is refused with an error at the field', async () => {
  const answer = await stage.admin.get(`${path()}?ordering=colour`);
  expect(answer).toMatchObject({ status: 400, body: { errors: { ordering: [expect.any(String)] } } });
});
