/** Invitations to a forum. */
import { apiWorld } from '../../support/apiWorld.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlaceholder, aUser } from '../../support/world.js';

const stage = apiWorld();
const { world, other, as } = stage;
const forums = new Forums(stage);
const invite = (forum: string, user: string, more = {}) =>
  stage.admin.post(pathOf(forum, 'invitations'), { user, ...more });

test('a forum admin invites a person of the organization, who accepts', async () => {
  const id = await forums.create({ visibility: 'invite_only' });
  const guest = await aMember(world.organizationId, world.otherChapterId);
  const invited = await invite(id, guest.userId, { role: 'moderator' });
  expect(invited).toMatchObject({
    status: 201,
    body: { user: guest.userId, role: 'moderator', invited_by: world.admin.userId },
  });
  const days = (Date.parse(invited.body.expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  expect((await as(world.regionalAdmin).get(pathOf(id, 'invitations'))).body.results).toEqual([invited.body]);
  const answer = (what: string, person = guest) => as(person).post(pathOf(id, 'invitations', invited.body.id, what));
  expect((await answer('accept', world.member)).status).toBe(404);
  expect((await as(guest).get(pathOf(id))).status).toBe(404);
  await stage.admin.patch(pathOf(id), { is_archived: true });
  expect((await answer('accept')).body.code).toBe('forum_archived');
  await stage.admin.patch(pathOf(id), { is_archived: false });
  expect(await answer('accept')).toMatchObject({ status: 200, body: { my_role: 'moderator', access: 'member' } });
  expect((await answer('accept')).status).toBe(200);
  expect((await answer('decline')).body.code).toBe('forum_invitation_closed');
  expect((await invite(id, guest.userId)).body.code).toBe('already_forum_member');
  expect((await stage.admin.get(pathOf(id, 'invitations'))).body.count).toBe(0);
});

test('a declined or expired invitation is closed until it is renewed', async () => {
  const id = await forums.create({ visibility: 'invite_only' });
  const { body } = await invite(id, world.member.userId);
  const answer = (what: string) => stage.member.post(pathOf(id, 'invitations', body.id, what));
  expect((await answer('decline')).status).toBe(204);
  expect((await answer('accept')).body.code).toBe('forum_invitation_closed');
  expect((await invite(id, world.member.userId)).body.id).toBe(body.id);
  await asOwner('UPDATE forum_memberships SET invitation_expires_at = now() WHERE id = $1', [body.id]);
  expect((await answer('accept')).body.code).toBe('forum_invitation_closed');
  expect((await stage.member.get('/api/forums/?discover=true')).body.results).toEqual([]);
});

test('the invitation to a deleted forum leaves the list of notifications', async () => {
  const id = await forums.create({ name: 'Short-lived', visibility: 'invite_only' });
  const guest = await aMember(world.organizationId, world.otherChapterId);
  await invite(id, guest.userId);
  const unread = async () => (await as(guest).get('/api/notifications/?is_read=false')).body.results.length;
  expect(await unread()).toBe(1);
  expect((await stage.admin.delete(pathOf(id))).status).toBe(204);
  expect(await unread()).toBe(0);
});

test('only forum admins invite, and only people of the organization', async () => {
  const id = await forums.create();
  expect((await as(world.regionalAdmin).post(pathOf(id, 'invitations'), { user: world.member.userId })).status).toBe(
    403,
  );
  expect((await stage.member.get(pathOf(id, 'invitations'))).status).toBe(403);
  for (const user of [other.member.userId, await aUser(), await aPlaceholder(world.organizationId)])
    expect((await invite(id, user)).body.errors).toEqual({ user: [expect.any(String)] });
  expect((await invite(id, world.member.userId, { role: 'owner' })).body.errors).toHaveProperty('role');
});
