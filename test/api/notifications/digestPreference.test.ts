import { apiWorld } from '../../support/apiWorld.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
const PATH = '/api/notifications/digest-preference/';

let person: Person;
beforeEach(async () => void (person = await aMember(stage.world.organizationId, stage.world.chapterId)));
const me = () => stage.as(person);

test('a person gets no digests until they subscribe', async () => {
  expect(await stage.nobody.get(PATH)).toMatchObject({ status: 401 });
  expect(await me().get(PATH)).toMatchObject({ status: 200, body: { frequency: null } });
  expect(await countStatements(() => me().get(PATH))).toBe(3);
});

test('each person subscribes to digests, changes the frequency, and unsubscribes, without effect on others', async () => {
  for (const frequency of ['daily', 'weekly', 'weekly', null])
    expect(await me().put(PATH, { frequency })).toMatchObject({ status: 200, body: { frequency } });
  await me().put(PATH, { frequency: 'daily' });
  expect((await me().get(PATH)).body).toEqual({ frequency: 'daily' });
  expect((await stage.member.get(PATH)).body).toEqual({ frequency: null });
});

test.each([
  [{}, 'frequency'],
  [{ frequency: 'hourly' }, 'frequency'],
  [{ frequency: 'daily', at: 7 }, 'at'],
])('%j is refused', async (body, field) => {
  expect(await me().put(PATH, body)).toMatchObject({
    status: 400,
    body: { errors: { [field]: [expect.any(String)] } },
  });
});
