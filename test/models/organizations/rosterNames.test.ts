/** The names by which rosters are sorted follow people and memberships, also during concurrent writes. */
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

test('a person who joins is in the roster by last name, once', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.chapterId);
  await asOwner("UPDATE users SET first_name = 'Zoë', last_name = 'van Dyk' WHERE id = $1", [userId]);
  expect(await linesOf(userId)).toEqual([
    { id: membershipId, organization_id: world.organizationId, chapter_id: world.chapterId, name: 'van Dyk Zoë' },
  ]);
});

test('a renamed person has the new name in every organization, without a change of memberships', async () => {
  const { userId } = await aMember(world.organizationId, world.chapterId);
  await inTenant(elsewhereWorld.organizationId, () => join(userId, elsewhereWorld));
  const memberships = () => asOwner('SELECT * FROM memberships WHERE user_id = $1 ORDER BY id', [userId]);
  const log = () => asOwner('SELECT count(*) FROM audit_log');
  const before = [await memberships(), await log()];
  await inPlatform(() => rename(userId, 'Baker'));
  expect(await namesOf(userId)).toEqual(['Baker Ann', 'Baker Ann']);
  expect([await memberships(), await log()]).toEqual(before);
});

test('an account that replaces a placeholder brings its own name, and a transferred member moves to the new chapter', async () => {
  const [placeholder, userId] = [await aPlaceholder(world.organizationId), await aUser('roster@example.org')];
  await inTenant(world.organizationId, () => join(placeholder));
  expect(await namesOf(placeholder)).toEqual(['Name Typed']);
  await asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [placeholder, userId]);
  expect(await namesOf(placeholder)).toEqual([]);
  await asOwner('UPDATE memberships SET chapter_id = $2 WHERE user_id = $1', [userId, world.otherChapterId]);
  expect(await linesOf(userId)).toMatchObject([{ chapter_id: world.otherChapterId, name: 'Last roster First' }]);
});

test('a deleted membership leaves no roster name', async () => {
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
])('only triggers can write roster names: %s', async (text) => {
  await expect(inTenant(world.organizationId, () => rows(text, ['X']))).rejects.toThrow('permission denied');
});

/** Runs outside of the open transaction. */
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

test('a locked membership does not wait for a renaming of its person, nor delay it', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.chapterId);
  await here(async () => {
    const membership = await lockMembership(membershipId);
    await elsewhere(() => inPlatform(() => rename(userId, 'Early')));
    await changeMembership(membership, { status: 'inactive' }, { authority: null });
  });
  expect(await namesOf(userId)).toEqual(['Early Ann']);
});

test('a membership that ends during a renaming of its person waits, and both succeed', async () => {
  const { userId, membershipId } = await aMember(world.organizationId, world.chapterId);
  const ends = () => here(() => end(membershipId));
  expect(await during(inPlatform, () => rename(userId, 'Before'), ends)).toBe(true);
  expect(await namesOf(userId)).toEqual(['Before Ann']);
});

test('a person who joins during a renaming, or is renamed while joining, has the new name', async () => {
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

test('concurrent joins, renamings and departures never deadlock', async () => {
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
  // Each statement writes one membership: two statements that write several in different orders deadlock by themselves.
  const someMembership = async (userId: string, organizationId = oneOf(worlds).organizationId) => {
    const ids = await asOwner<{ id: string }>(
      'SELECT id FROM memberships WHERE user_id = $1 AND organization_id = $2',
      [userId, organizationId],
    );
    return oneOf(ids)?.id ?? null;
  };
  const steps: (() => Promise<unknown>)[] = [
    () => inPlatform(() => rename(oneOf(people), `Name ${Math.random()}`)),
    () => inPlatform(() => rename(placeholder, `Name ${Math.random()}`)),
    () => begin(oneOf(people)),
    () => begin(placeholder, world),
    async () => asOwner('DELETE FROM memberships WHERE id = $1', [await someMembership(oneOf(people))]),
    async () =>
      asOwner('UPDATE memberships SET user_id = $2 WHERE id = $1 AND user_id = $3', [
        await someMembership(placeholder, world.organizationId),
        oneOf(people),
        placeholder,
      ]),
    async () =>
      asOwner('UPDATE memberships SET chapter_id = $2 WHERE id = $1', [
        await someMembership(oneOf(people), world.organizationId),
        oneOf([world.chapterId, world.otherChapterId]),
      ]),
    async () => {
      const id = await someMembership(oneOf(people), world.organizationId);
      if (id)
        await here(async () => {
          const membership = await lockMembership(id);
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
  // A duplicate, or already deleted: refused with a known error.
  expect(codes.filter((code) => code !== UNIQUE && code !== 'not_found')).toEqual([]);
});
