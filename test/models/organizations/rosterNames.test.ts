/** The names that rosters are sorted by follow people and memberships, whoever else is writing. */
import { AsyncLocalStorage } from 'node:async_hooks';
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { sqlStateOf } from '../../../models/database/constraints.js';
import { rows } from '../../../models/database/rows.js';
import { Refusal } from '../../../models/errors.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { changeMembership, lockMembership } from '../../../models/organizations/changeMembership.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aMember, aPlaceholder, aUser, aWorld, type World } from '../../support/world.js';

const UNIQUE = '23505';
const [RULE] = readInvariants().filter(({ name }) => name.startsWith('the roster of a chapter lists each member'));

let world: World;
let elsewhereWorld: World;

beforeAll(async () => {
  [world, elsewhereWorld] = [await aWorld({ members: 1 }), await aWorld({ members: 1 })];
});
afterEach(async () => {
  expect(await asOwner(RULE?.query as string)).toEqual([]);
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

const join = (userId: string, { organizationId, chapterId } = world) =>
  rows('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    organizationId,
    userId,
    chapterId,
  ]);
const rename = (userId: string, last: string) =>
  rows('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [userId, 'Ann', last]);
const end = async (membershipId: string) =>
  changeMembership(await lockMembership(membershipId), { status: 'inactive' }, { authority: null });
const linesOf = (userId: string) =>
  asOwner('SELECT id, organization_id, chapter_id, name FROM roster_names WHERE user_id = $1 ORDER BY id', [userId]);
const namesOf = async (userId: string) => (await linesOf(userId)).map(({ name }) => name);

test('whoever joins is there by last name, and nobody else twice', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.chapterId);
  await asOwner("UPDATE users SET first_name = 'Zoë', last_name = 'van Dyk' WHERE id = $1", [userId]);
  expect(await linesOf(userId)).toEqual([
    { id: membershipId, organization_id: world.organizationId, chapter_id: world.chapterId, name: 'van Dyk Zoë' },
  ]);
});

test('a new name is in every organization, and no membership counts as changed', async () => {
  const { userId } = await aMember(world.organizationId, world.chapterId);
  await inTenant(elsewhereWorld.organizationId, () => join(userId, elsewhereWorld));
  const memberships = () => asOwner('SELECT * FROM memberships WHERE user_id = $1 ORDER BY id', [userId]);
  const log = () => asOwner('SELECT count(*) FROM audit_log');
  const before = [await memberships(), await log()];
  await inPlatform(() => rename(userId, 'Baker'));
  expect(await namesOf(userId)).toEqual(['Baker Ann', 'Baker Ann']);
  expect([await memberships(), await log()]).toEqual(before);
});

test('an account that takes the place of a placeholder brings its own name, a chapter takes its members along', async () => {
  const [placeholder, userId] = [await aPlaceholder(world.organizationId), await aUser('roster@example.org')];
  await inTenant(world.organizationId, () => join(placeholder));
  expect(await namesOf(placeholder)).toEqual(['Name Typed']);
  await asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [placeholder, userId]);
  expect(await namesOf(placeholder)).toEqual([]);
  await asOwner('UPDATE memberships SET chapter_id = $2 WHERE user_id = $1', [userId, world.otherChapterId]);
  expect(await linesOf(userId)).toMatchObject([{ chapter_id: world.otherChapterId, name: 'Last roster First' }]);
});

test('a membership that goes leaves nothing', async () => {
  const { userId } = await aMember(world.organizationId, world.chapterId);
  await asOwner('DELETE FROM memberships WHERE user_id = $1', [userId]);
  expect(await linesOf(userId)).toEqual([]);
});

test.each([
  [
    'INSERT INTO roster_names (id, organization_id, chapter_id, user_id, name) SELECT id, organization_id, chapter_id, user_id, $1 FROM memberships',
  ],
  ['UPDATE roster_names SET name = $1'],
  ['DELETE FROM roster_names WHERE name <> $1'],
])('nobody but the triggers: %s', async (text) => {
  await expect(inTenant(world.organizationId, () => rows(text, ['X']))).rejects.toThrow('permission denied');
});

/** Leaves the transaction that is open here. */
const elsewhere = AsyncLocalStorage.snapshot();

/** Runs `second` while `first` has not committed. @returns whether it had to wait */
async function during(inOne: typeof inPlatform, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  let later: Promise<unknown> | undefined;
  let waited: unknown;
  await inOne(async () => {
    await first();
    later = elsewhere(second);
    waited = await Promise.race([later.then(() => false), new Promise((resolve) => setTimeout(resolve, 150, true))]);
  });
  await later;
  return waited;
}
const here: typeof inPlatform = (work) => inTenant(world.organizationId, work);

test('whoever holds a membership waits for nobody who renames the person, nor holds them up', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.chapterId);
  await here(async () => {
    const membership = await lockMembership(membershipId);
    await elsewhere(() => inPlatform(() => rename(userId, 'Early')));
    await changeMembership(membership, { status: 'inactive' }, { authority: null });
  });
  expect(await namesOf(userId)).toEqual(['Early Ann']);
});

test('a membership that ends while its person is renamed waits, and both are done', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.chapterId);
  const ends = () => here(() => end(membershipId));
  expect(await during(inPlatform, () => rename(userId, 'Before'), ends)).toBe(true);
  expect(await namesOf(userId)).toEqual(['Before Ann']);
});

test('whoever joins while being renamed, or is renamed while joining, is there by the new name', async () => {
  const [one, other] = [await aUser(), await aUser()];
  expect(
    await during(
      inPlatform,
      () => rename(one, 'New'),
      () => here(() => join(one)),
    ),
  ).toBe(true);
  expect(
    await during(
      here,
      () => join(other),
      () => inPlatform(() => rename(other, 'New')),
    ),
  ).toBe(true);
  expect([await namesOf(one), await namesOf(other)]).toEqual([['New Ann'], ['New Ann']]);
});

test('any of it at once, over and over: nobody is chosen to fall for the others', async () => {
  const people = [await aUser(), await aUser(), await aUser()];
  const placeholder = await aPlaceholder(world.organizationId);
  const worlds = [world, elsewhereWorld];
  const oneOf = <T>(of: readonly T[]): T => of[Math.floor(Math.random() * of.length)] as T;
  const begin = (userId: string, { organizationId, chapterId } = oneOf(worlds)) =>
    asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      organizationId,
      userId,
      chapterId,
    ]);
  const steps: (() => Promise<unknown>)[] = [
    () => inPlatform(() => rename(oneOf(people), `Name ${Math.random()}`)),
    () => inPlatform(() => rename(placeholder, `Name ${Math.random()}`)),
    () => begin(oneOf(people)),
    () => begin(placeholder, world),
    () => asOwner('DELETE FROM memberships WHERE user_id = $1', [oneOf(people)]),
    () => asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [placeholder, oneOf(people)]),
    () =>
      asOwner('UPDATE memberships SET chapter_id = $3 WHERE user_id = $1 AND organization_id = $2', [
        oneOf(people),
        world.organizationId,
        oneOf([world.chapterId, world.otherChapterId]),
      ]),
    async () => {
      const [one] = await asOwner<{ id: string }>(
        'SELECT id FROM memberships WHERE user_id = $1 AND organization_id = $2',
        [oneOf(people), world.organizationId],
      );
      if (one)
        await here(async () => {
          const membership = await lockMembership(one.id);
          await changeMembership(membership, { status: oneOf(['inactive', 'undergrad']) }, { authority: null });
        });
    },
  ];
  const codes: unknown[] = [];
  const worker = async () => {
    for (let n = 0; n < 60; n += 1)
      await oneOf(steps)().catch((error: unknown) =>
        codes.push(error instanceof Refusal ? error.code : (sqlStateOf(error) ?? error)),
      );
  };
  await Promise.all([worker(), worker(), worker(), worker()]);
  // There twice, or gone meanwhile: refused in words.
  expect(codes.filter((code) => code !== UNIQUE && code !== 'not_found')).toEqual([]);
});
