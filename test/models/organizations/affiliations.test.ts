/** The table of affiliations, which log-in reads, follows memberships and admin roles. */
import { asOwner, closeOwner } from '../../support/owner.js';
import { aPlaceholder as aPlaceholderIn, aUser, aWorld, type World } from '../../support/world.js';

let world: World;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
});
afterAll(closeOwner);

const aPlaceholder = () => aPlaceholderIn(world.organizationId);

const kinds = async (userId: string): Promise<string[]> =>
  (await asOwner<{ kind: string }>('SELECT kind FROM affiliations WHERE user_id = $1 ORDER BY kind', [userId])).map(
    ({ kind }) => kind,
  );

test.each(['pnm', 'disaffiliated', 'inactive'])('a membership with the status %s gives no access', async (status) => {
  const userId = await aUser();
  const insert = 'INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, $4)';
  await asOwner(insert, [world.organizationId, userId, world.chapterId, status]);
  expect(await kinds(userId)).toEqual([]);
  await asOwner(`UPDATE memberships SET status = 'undergrad' WHERE user_id = $1`, [userId]);
  expect(await kinds(userId)).toEqual(['member']);
  await asOwner('UPDATE memberships SET status = $2 WHERE user_id = $1', [userId, status]);
  expect(await kinds(userId)).toEqual([]);
});

test('one of two memberships gives access', async () => {
  const userId = await aUser();
  for (const chapter of [world.chapterId, world.otherChapterId]) {
    await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
      world.organizationId,
      userId,
      chapter,
    ]);
  }
  await asOwner('DELETE FROM memberships WHERE user_id = $1 AND chapter_id = $2', [userId, world.chapterId]);
  expect(await kinds(userId)).toEqual(['member']);
  await asOwner('DELETE FROM memberships WHERE user_id = $1', [userId]);
  expect(await kinds(userId)).toEqual([]);
});

test('an active admin needs no membership', async () => {
  const userId = await aUser();
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    userId,
  ]);
  await asOwner(
    `INSERT INTO regional_admins (organization_id, region_id, user_id, role) VALUES ($1, $2, $3, 'advisor')`,
    [world.organizationId, world.regionId, userId],
  );
  expect(await kinds(userId)).toEqual(['organization_admin', 'regional_admin']);
  await asOwner('UPDATE regional_admins SET is_active = false WHERE user_id = $1', [userId]);
  await asOwner('UPDATE organization_admins SET is_active = false WHERE user_id = $1', [userId]);
  expect(await kinds(userId)).toEqual([]);
});

test('a membership that moves from a placeholder to a person gives that person access', async () => {
  const [from, to] = [await aPlaceholder(), await aUser()];
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    world.organizationId,
    from,
    world.chapterId,
  ]);
  expect(await kinds(from)).toEqual([]);
  await asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [from, to]);
  expect([await kinds(from), await kinds(to)]).toEqual([[], ['member']]);
});

test("a person's membership cannot become another's", async () => {
  const [from, to] = [await aUser(), await aUser()];
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    world.organizationId,
    from,
    world.chapterId,
  ]);
  const move = asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [from, to]);
  await expect(move).rejects.toMatchObject({ constraint: 'person_stays' });
});

test('a placeholder holds no office, and stays in its organization', async () => {
  const [placeholder, other] = [await aPlaceholder(), await aWorld({ members: 1 })];
  const office = (organizationId: string, active: boolean) =>
    asOwner('INSERT INTO organization_admins (organization_id, user_id, is_active) VALUES ($1, $2, $3)', [
      organizationId,
      placeholder,
      active,
    ]);
  await expect(office(world.organizationId, true)).rejects.toMatchObject({ constraint: 'invitation_open' });
  await expect(office(other.organizationId, false)).rejects.toMatchObject({ constraint: 'placeholder_elsewhere' });
  await office(world.organizationId, false);
  expect(await kinds(placeholder)).toEqual([]);
  const activate = asOwner('UPDATE organization_admins SET is_active = true WHERE user_id = $1', [placeholder]);
  await expect(activate).rejects.toMatchObject({ constraint: 'invitation_open' });
});

test.each([
  ["password_hash = 'x'"],
  ['disabled_at = NULL'],
  ["email = 'x@example.org'"],
  ['is_platform_admin = true'],
  ['placeholder_in = NULL'],
])('a placeholder never has %s', async (change) => {
  const placeholder = await aPlaceholder();
  await expect(asOwner(`UPDATE users SET ${change} WHERE id = $1`, [placeholder])).rejects.toThrow();
});
