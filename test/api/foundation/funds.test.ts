import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const stage = apiWorld();
const { as, world, other } = stage;
const FUNDS = '/api/foundation/funds/';

let foundation: Foundation;
let foreign: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  foreign = await aFoundation(other);
});
const admin = () => as(foundation.admin);

test('an admin creates a fund, and changes it', async () => {
  const created = await admin().post(FUNDS, { name: 'Scholarships', description: 'For students', goal_cents: 500_000 });
  expect(created).toMatchObject({
    status: 201,
    body: { name: 'Scholarships', is_default: false, is_active: true, total_cents: 0, version: 1 },
  });
  const row = `${FUNDS}${created.body.id}/`;
  expect(await admin().patch(row, { goal_cents: null, version: 1 })).toMatchObject({
    status: 200,
    body: { goal_cents: null, version: 2 },
  });
  expect((await admin().patch(row, { name: 'Other', version: 1 })).body.code).toBe('stale_version');
  expect((await as(foundation.editor).get(row)).body).toMatchObject({ name: 'Scholarships', version: 2 });
  expect(await asOwner('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [created.body.id])).toEqual([
    { action: 'fund.created' },
    { action: 'fund.updated' },
  ]);
});

test('a new default fund takes the place of the former, also when two are set at once', async () => {
  const [first, second] = [
    await admin().post(FUNDS, { name: 'First', is_default: true }),
    await admin().post(FUNDS, { name: 'Second' }),
  ];
  expect((await admin().get(`${FUNDS}${foundation.fundId}/`)).body.is_default).toBe(false);
  const answers = await Promise.all(
    [foundation.fundId, second.body.id].map((id) => admin().patch(`${FUNDS}${id}/`, { is_default: true })),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  const { results } = (await admin().get(FUNDS)).body;
  const defaults = results.filter(({ is_default }: { is_default: boolean }) => is_default);
  expect(defaults).toHaveLength(1);
  expect(defaults[0].id).not.toBe(first.body.id);
});

test('a total that changes gives the fund no new version', async () => {
  const { body } = await admin().post(FUNDS, { name: 'Counted' });
  await asOwner('UPDATE funds SET total_cents = 500 WHERE id = $1', [body.id]);
  expect(await admin().patch(`${FUNDS}${body.id}/`, { name: 'Renamed', version: body.version })).toMatchObject({
    status: 200,
    body: { total_cents: 500, version: 2 },
  });
});

test.each<[string, object]>([
  ['name', {}],
  ['name', { name: '' }],
  ['goal_cents', { name: 'A', goal_cents: 0 }],
  ['goal_cents', { name: 'A', goal_cents: 1.5 }],
  ['total_cents', { name: 'A', total_cents: 5 }],
  ['is_active', { name: 'A', is_default: true, is_active: false }],
])('a fund is refused at the field %s: %j', async (field, body) => {
  expect(await admin().post(FUNDS, body)).toMatchObject({
    status: 400,
    body: { errors: { [field]: [expect.any(String)] } },
  });
});

test('two funds cannot have the same name', async () => {
  expect(await admin().post(FUNDS, { name: 'general FUND' })).toMatchObject({
    status: 409,
    body: { code: 'duplicate', errors: { name: [expect.any(String)] } },
  });
});

test('funds of another organization are unknown', async () => {
  await expectNowhere(foreign.fundId, (id) => admin().get(`${FUNDS}${id}/`));
  await expectNowhere(foreign.fundId, (id) => admin().patch(`${FUNDS}${id}/`, { name: 'Taken' }));
});

test('the list has filters, orders and pages, in a fixed number of statements', async () => {
  expect(await countStatements(() => admin().get(FUNDS))).toBe(3);
  const { body } = await admin().post(FUNDS, { name: 'Aaa closed', is_active: false });
  const active = (await admin().get(`${FUNDS}?is_active=true`)).body;
  expect(active.results.map(({ id }: { id: string }) => id)).not.toContain(body.id);
  expect((await admin().get(`${FUNDS}?ordering=name&page_size=1`)).body.results[0].name).toBe('Aaa closed');
  expect((await admin().get(`${FUNDS}?ordering=colour`)).status).toBe(400);
});
