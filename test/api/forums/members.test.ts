/** Members of a forum: joining, leaving, removing, roles, and the loss of scope. */
import { apiWorld } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { aMember } from '../../support/world.js';

const stage = apiWorld();
const { world, as } = stage;
const forums = new Forums(stage);
const join = (forum: string, person: { token: string }) => as(person).post(pathOf(forum, 'join'));
const leave = (forum: string, person: { token: string }) => as(person).delete(pathOf(forum, 'membership'));
const LOCK = 'SELECT FROM forums WHERE id = $1 FOR UPDATE';
const codesOf = (answers: { status: number; body: { code?: string } }[]) =>
  answers.map(({ status, body }) => body?.code ?? String(status)).toSorted();

test('a person who left reads an open forum, and joins again only by asking', async () => {
  const id = await forums.create();
  await stage.member.get(pathOf(id));
  expect((await leave(id, world.member)).status).toBe(204);
  expect((await leave(id, world.member)).status).toBe(204);
  expect((await stage.member.get(pathOf(id))).body).toMatchObject({
    my_role: 'reader',
    access: 'open',
    member_count: 1,
  });
  const text = { title: 'x', body: 'x' };
  expect((await stage.member.post(pathOf(id, 'posts'), text)).body.code).toBe('forum_membership_required');
  expect((await join(id, world.member)).body).toMatchObject({ my_role: 'member', member_count: 2 });
  expect((await join(id, world.member)).status).toBe(200);
  expect((await stage.member.post(pathOf(id, 'posts'), text)).status).toBe(201);
});

test('a removed person comes back by an invitation only', async () => {
  const id = await forums.create();
  await stage.member.get(pathOf(id));
  const row = await forums.row(id, world.member);
  const member = pathOf(id, 'members', row?.id as string);
  expect((await stage.officer.delete(member)).status).toBe(403);
  expect((await as(world.regionalAdmin).delete(member)).status).toBe(204);
  expect((await stage.member.get(pathOf(id))).body.my_role).toBe('reader');
  expect((await join(id, world.member)).body.code).toBe('forum_removed');
  await stage.admin.post(pathOf(id, 'invitations'), { user: world.member.userId });
  expect((await stage.member.post(pathOf(id, 'invitations', row?.id as string, 'accept'))).status).toBe(200);
  const log = await asOwner<{ action: string }>('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    row?.id,
  ]);
  expect(log.map(({ action }) => action)).toEqual(['forum_membership.removed', 'forum_membership.invited']);
});

test('who reads through an office alone does not join', async () => {
  const id = await forums.create();
  expect((await join(id, world.regionalAdmin)).status).toBe(403);
  expect((await as(world.regionalAdmin).get(pathOf(id))).body.my_role).toBe('moderator');
  expect(await forums.row(id, world.regionalAdmin)).toBeNull();
  const closed = await forums.create({ visibility: 'invite_only' });
  expect((await join(closed, world.regionalAdmin)).body.code).toBe('forum_not_open');
});

test('a forum admin gives roles; moderators remove members only', async () => {
  const id = await forums.create();
  const [moderator, member] = [await forums.add(id, world.officer), await forums.add(id, world.member)];
  const path = (row: string) => pathOf(id, 'members', row);
  expect((await stage.officer.patch(path(moderator), { role: 'admin' })).status).toBe(403);
  expect(await stage.admin.patch(path(moderator), { role: 'moderator', version: 1 })).toMatchObject({
    status: 200,
    body: { user: world.officer.userId, role: 'moderator', version: 2 },
  });
  expect((await stage.admin.patch(path(moderator), { role: 'member', version: 1 })).body.code).toBe('stale_version');
  expect((await stage.admin.patch(path(moderator), { role: 'owner' })).body.errors).toHaveProperty('role');
  const creator = await forums.row(id, world.admin);
  expect((await stage.officer.delete(path(creator?.id as string))).status).toBe(403);
  expect((await stage.officer.delete(path(member))).status).toBe(204);
  expect((await stage.officer.delete(path(member))).status).toBe(404);
  const list = await stage.officer.get(pathOf(id, 'members'));
  expect(list.body.results.map(({ role }: { role: string }) => role)).toEqual(['admin', 'moderator']);
});

describe('the last admin of a forum', () => {
  const aForumOfTwo = async () => {
    const id = await forums.create();
    await asOwner(`UPDATE forum_memberships SET status = 'left' WHERE forum_id = $1`, [id]);
    const rows = [await forums.add(id, world.officer, 'admin'), await forums.add(id, world.member, 'admin')];
    return { id, rows: rows as [string, string] };
  };

  test('neither leaves nor steps down', async () => {
    const { id, rows } = await aForumOfTwo();
    expect((await leave(id, world.officer)).status).toBe(204);
    expect((await leave(id, world.member)).body.code).toBe('last_forum_admin');
    const self = pathOf(id, 'members', rows[1]);
    expect((await stage.member.patch(self, { role: 'member' })).body.code).toBe('last_forum_admin');
    expect((await stage.member.delete(self)).body.code).toBe('last_forum_admin');
    expect((await stage.admin.delete(self)).status).toBe(204);
  });

  test('stays when two leave, step down or remove one another at once', async () => {
    const both = await aForumOfTwo();
    const left = await during(
      LOCK,
      [both.id],
      [() => leave(both.id, world.officer), () => leave(both.id, world.member)],
    );
    expect(codesOf(left)).toEqual(['204', 'last_forum_admin']);

    const { id, rows } = await aForumOfTwo();
    const [officer, member] = rows.map((row) => pathOf(id, 'members', row)) as [string, string];
    const removed = await during(LOCK, [id], [() => stage.officer.delete(member), () => stage.member.delete(officer)]);
    expect(removed.map(({ status }) => status)).toEqual([204, 403]);
  });
});

describe('losing the scope', () => {
  const statusOf = async (forum: string, person: { userId: string }) => (await forums.row(forum, person))?.status;

  test('ends memberships with the membership of the chapter, in its transaction', async () => {
    const person = await aMember(world.organizationId, world.chapterId);
    await aMember(world.organizationId, world.chapterId);
    const second = await asOwner<{ id: string }>(
      `INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, 'undergrad') RETURNING id`,
      [world.organizationId, person.userId, world.otherChapterId],
    );
    const [chapter, everywhere] = [await forums.create(), await forums.create({ region: null })];
    const guestHouse = await forums.create({ visibility: 'invite_only' });
    for (const forum of [chapter, everywhere]) await as(person).get(pathOf(forum));
    await forums.add(guestHouse, person, 'member', { by_invitation: true });
    const end = (membership: string | undefined) =>
      stage.admin.patch(`/api/memberships/${membership}/`, { status: 'inactive' });
    expect((await end(person.membershipId)).status).toBe(200);
    const states = async () => Promise.all([chapter, everywhere, guestHouse].map((forum) => statusOf(forum, person)));
    expect(await states()).toEqual(['ended', 'active', 'active']);
    expect((await stage.admin.get(pathOf(chapter))).body.member_count).toBe(1);
    expect((await end(second[0]?.id)).status).toBe(200);
    expect(await states()).toEqual(['ended', 'ended', 'ended']);
  });

  test('a person who regains the scope joins again by reading', async () => {
    const person = await aMember(world.organizationId, world.chapterId);
    const id = await forums.create();
    const row = await forums.add(id, person, 'moderator');
    await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [person.membershipId]);
    expect(await statusOf(id, person)).toBe('ended');
    await asOwner(`UPDATE memberships SET status = 'alumni' WHERE id = $1`, [person.membershipId]);
    expect((await as(person).get(pathOf(id))).body.my_role).toBe('member');
    expect(await forums.row(id, person)).toMatchObject({ id: row, status: 'active', role: 'member' });
  });

  test('ends memberships with an office, and with the region of a chapter', async () => {
    const [chapter] = await asOwner<{ id: string }>(
      `INSERT INTO chapters (organization_id, region_id, name) VALUES ($1, $2, 'Gamma') RETURNING id`,
      [world.organizationId, world.regionId],
    );
    const person = await aMember(world.organizationId, chapter?.id as string);
    const officeHolder = await aMember(world.organizationId, world.otherChapterId);
    await asOwner(
      `INSERT INTO regional_admins (organization_id, region_id, user_id, role) VALUES ($1, $2, $3, 'advisor')`,
      [world.organizationId, world.regionId, officeHolder.userId],
    );
    const id = await forums.create({ region: world.regionId });
    await as(person).get(pathOf(id));
    await forums.add(id, officeHolder, 'admin');
    await asOwner('UPDATE regional_admins SET is_active = false WHERE user_id = $1', [officeHolder.userId]);
    expect(await statusOf(id, officeHolder)).toBe('ended');
    await asOwner('UPDATE chapters SET region_id = $2 WHERE id = $1', [chapter?.id, world.otherRegionId]);
    expect(await statusOf(id, person)).toBe('ended');
  });
});
