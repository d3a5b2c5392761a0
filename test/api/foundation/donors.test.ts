import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, type Foundation } from '../../support/foundation.js';
import { aPaidGift } from '../../support/giving.js';

const { world, other, as } = apiWorld();
let foundation: Foundation;
beforeAll(async () => {
  foundation = await aFoundation(world);
  await aPaidGift(world, foundation, { email: 'zoe@example.org', first_name: 'Zoë', last_name: 'Ångström' });
  await aPaidGift(world, foundation, { email: 'zoe@example.org', first_name: 'Other', last_name: 'Name' });
  await aPaidGift(world, foundation, { email: 'grace@example.org', first_name: 'Grace', last_name: 'Hopper' });
});

const list = async (query = '') => (await as(foundation.admin).get(`/api/foundation/donors/${query}`)).body;

test('admins list donors by last name, with the sum and number of their gifts', async () => {
  expect(await list()).toMatchObject({
    count: 2,
    results: [
      { email: 'grace@example.org', total_cents: 5_000, gift_count: 1 },
      { email: 'zoe@example.org', first_name: 'Zoë', total_cents: 10_000, gift_count: 2, user: null },
    ],
  });
});

test.each(['ZOE@', 'zoe', 'angstrom', 'Ång'])('a search for %s finds the donor by address or name', async (text) => {
  expect((await list(`?search=${encodeURIComponent(text)}`)).results).toMatchObject([{ email: 'zoe@example.org' }]);
});

test('a search takes wildcards literally', async () => {
  expect(await list('?search=%25')).toMatchObject({ count: 0 });
});

test('editors and admins of the organization read no donors, and those of another foundation are unknown', async () => {
  for (const person of [foundation.editor, world.admin])
    expect((await as(person).get('/api/foundation/donors/')).status).toBe(403);
  const { results } = await list();
  expect((await as(foundation.admin).get(`/api/foundation/donors/${results[0].id}/`)).body).toEqual(results[0]);
  const theirs = await aFoundation(other);
  await expectNowhere(results[0].id, (id) => as(theirs.admin).get(`/api/foundation/donors/${id}/`));
});
