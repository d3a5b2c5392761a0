/** User names follow people who get access to an organization, and are unique there. */
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { translateDatabaseError } from '../../../models/database/constraints.js';
import { definitions } from '../../../models/database/schemaFiles.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { organizationsErasure } from '../../../models/organizations/erasure.js';
import { changeHandle, findByHandles, readHandle } from '../../../models/organizations/member-handles/memberHandles.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { aMember, aPlaceholder, aUser, aWorld, type World } from '../../support/world.js';

let world: World;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

const join = (userId: string) =>
  asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    world.organizationId,
    userId,
    world.chapterId,
  ]);
const handleOf = async (userId: string) =>
  (await asOwner<{ handle: string }>('SELECT handle FROM member_handles WHERE user_id = $1', [userId]))[0]?.handle;
const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);

async function handleFor(firstName: string, lastName: string) {
  const userId = await aUser();
  await asOwner('UPDATE users SET first_name = $2, last_name = $3 WHERE id = $1', [userId, firstName, lastName]);
  await join(userId);
  return handleOf(userId);
}

test.each([
  ['Ada', 'Lovelace', /^ada\.lovelace$/],
  ['Zoë', 'van Øst-Straße', /^zoe\.van\.ost\.strasse$/],
  ['Ada', 'Lovelace', /^ada\.lovelace\d$/],
  ['小龙', '李', /^member$/],
  ['Wolfeschlegelsteinhausen', 'Bergerdorff', /^wolfeschlegelsteinhausen$/],
  ['Ann.', '-', /^ann$/],
])('%s %s gets a handle', async (first, last, handle) => expect(await handleFor(first, last)).toMatch(handle));

test('thirty people of one name get thirty handles', async () => {
  const handles: (string | undefined)[] = [];
  for (let n = 0; n < 30; n += 1) handles.push(await handleFor('Pat', 'Smith'));
  expect(new Set(handles).size).toBe(30);
  expect(handles.every((handle) => /^pat\.smith\d{0,4}$/.test(handle ?? ''))).toBe(true);
});

test('two people of one name who join at the same moment both join', async () => {
  const people = [await aUser(), await aUser(), await aUser()];
  await Promise.all(people.map((userId) => join(userId)));
  expect(new Set(await Promise.all(people.map(handleOf))).size).toBe(3);
});

test('a placeholder has no handle; the account that replaces it has one, and keeps it when access ends', async () => {
  const [placeholder, userId] = [await aPlaceholder(world.organizationId), await aUser()];
  await join(placeholder);
  expect(await handleOf(placeholder)).toBeUndefined();
  await asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [placeholder, userId]);
  const handle = await handleOf(userId);
  expect(handle).toBeDefined();
  await asOwner("UPDATE memberships SET status = 'inactive' WHERE user_id = $1", [userId]);
  await asOwner("UPDATE memberships SET status = 'undergrad' WHERE user_id = $1", [userId]);
  expect(await handleOf(userId)).toBe(handle);
});

test('a person changes their user name, but not to that of another person of the organization', async () => {
  const [one, other] = [
    await aMember(world.organizationId, world.chapterId),
    await aMember(world.organizationId, world.chapterId),
  ];
  await inWorld(() => changeHandle(one.userId, 'the_one-2'));
  expect(await inWorld(() => readHandle(one.userId))).toMatchObject({ user: one.userId, username: 'the_one-2' });
  const error = await inWorld(() => changeHandle(other.userId, 'the_one-2')).catch((reason: unknown) => reason);
  expect(translateDatabaseError(error)).toMatchObject({
    status: 409,
    code: 'duplicate',
    errors: { username: ['Another person has this user name.'] },
  });
  expect(await inWorld(() => findByHandles(['the_one-2', 'nobody']))).toEqual(new Map([['the_one-2', one.userId]]));

  // In another organization the same name is free.
  const elsewhere = await aWorld({ members: 1 });
  const stranger = await aMember(elsewhere.organizationId, elsewhere.chapterId);
  await inTenant(elsewhere.organizationId, () => changeHandle(stranger.userId, 'the_one-2'));
  expect(await inWorld(() => findByHandles(['the_one-2']))).toEqual(new Map([['the_one-2', one.userId]]));
});

test('the handle of a former admin is deleted with the account', async () => {
  const userId = await aUser();
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    userId,
  ]);
  await asOwner('DELETE FROM organization_admins WHERE user_id = $1', [userId]);
  expect(await handleOf(userId)).toBeDefined();
  expect(await asOwner("SELECT app.organizations_of($1, '{}') AS id", [userId])).toEqual([
    { id: world.organizationId },
  ]);
  await inWorld(async () => organizationsErasure.inOrganization?.(userId, []));
  expect(await handleOf(userId)).toBeUndefined();
});

test('people who had access before handles existed get theirs when the definition is applied', async () => {
  const people = await asOwner('SELECT DISTINCT organization_id, user_id FROM affiliations ORDER BY 1, 2');
  await asOwner('DELETE FROM member_handles');
  await asOwner(definitions().find(({ name }) => name === 'organizations/keep_member_handle')?.sql as string);
  expect(await asOwner('SELECT organization_id, user_id FROM member_handles ORDER BY 1, 2')).toEqual(people);
});
