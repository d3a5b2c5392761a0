/** The copy of who belongs where, which log-in reads, follows memberships and admin roles. */
import { asOwner, closeOwner } from '../../support/owner.js';
import { aUser, aWorld, type World } from '../../support/world.js';

let world: World;

beforeAll(async () => {
  world = await aWorld({ members: 1 });
});
afterAll(closeOwner);

const kinds = async (userId: string): Promise<string[]> =>
  (await asOwner<{ kind: string }>('SELECT kind FROM affiliations WHERE user_id = $1 ORDER BY kind', [userId])).map(
    ({ kind }) => kind,
  );

test.each(['pnm', 'disaffiliated', 'inactive'])('the status %s lets nobody in', async (status) => {
  const userId = await aUser();
  const insert = 'INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, $4)';
  await asOwner(insert, [world.organizationId, userId, world.chapterId, status]);
  expect(await kinds(userId)).toEqual([]);
  await asOwner(`UPDATE memberships SET status = 'undergrad' WHERE user_id = $1`, [userId]);
  expect(await kinds(userId)).toEqual(['member']);
  await asOwner('UPDATE memberships SET status = $2 WHERE user_id = $1', [userId, status]);
  expect(await kinds(userId)).toEqual([]);
});

test('one of two memberships is enough', async () => {
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

test('active admins need no membership', async () => {
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

test('a membership that moves to another person moves with its access', async () => {
  const [from, to] = [await aUser(), await aUser()];
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    world.organizationId,
    from,
    world.chapterId,
  ]);
  await asOwner('UPDATE memberships SET user_id = $2 WHERE user_id = $1', [from, to]);
  expect([await kinds(from), await kinds(to)]).toEqual([[], ['member']]);
});
