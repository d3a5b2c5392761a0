/** Requests to join a forum whose moderators approve members. */
import { apiWorld } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { Forums, pathOf } from '../../support/forums.js';

const stage = apiWorld();
const { world, as } = stage;
const forums = new Forums(stage);
const request = (forum: string, person: { token: string }, body = {}) =>
  as(person).post(pathOf(forum, 'join-requests'), body);

test('a moderator approves the request of a person in the scope of the forum', async () => {
  const id = await forums.create({ visibility: 'approval_required' });
  const made = await request(id, world.member, { message: 'I live there.' });
  expect(made).toMatchObject({ status: 201, body: { status: 'requested', message: 'I live there.' } });
  expect(await request(id, world.member, { message: 'Again' })).toMatchObject({ status: 200, body: made.body });
  expect((await stage.member.get('/api/forums/?discover=true')).body.results).toMatchObject([{ access: 'requested' }]);
  expect((await stage.member.get(pathOf(id, 'join-requests'))).status).toBe(404);
  expect((await as(world.regionalAdmin).get(pathOf(id, 'join-requests'))).body.results).toEqual([made.body]);
  const decide = (person: { token: string }, decision: string) =>
    as(person).post(pathOf(id, 'join-requests', made.body.id, 'decide'), { decision, note: 'Welcome' });
  const decisions = await during(
    'SELECT FROM forums WHERE id = $1 FOR UPDATE',
    [id],
    [() => decide(world.regionalAdmin, 'approve'), () => decide(world.admin, 'reject')],
  );
  expect(decisions[0]).toMatchObject({ status: 200, body: { status: 'active', note: 'Welcome' } });
  expect(decisions[1]?.body.code).toBe('already_decided');
  expect((await stage.member.get(pathOf(id))).body.my_role).toBe('member');
  expect((await request(id, world.member)).body.code).toBe('already_forum_member');
});

test('a rejected person requests again', async () => {
  const id = await forums.create({ visibility: 'approval_required' });
  const { body } = await request(id, world.member);
  const decided = await stage.admin.post(pathOf(id, 'join-requests', body.id, 'decide'), { decision: 'reject' });
  expect(decided.body).toMatchObject({ status: 'rejected', decided_by: world.admin.userId });
  expect((await request(id, world.member)).status).toBe(201);
});

test('nobody decides an own request', async () => {
  const id = await forums.create({ visibility: 'approval_required', chapter: world.otherChapterId });
  const row = await forums.row(id, world.admin);
  await stage.admin.delete(pathOf(id, 'membership'));
  expect((await request(id, world.admin)).status).toBe(201);
  const own = pathOf(id, 'join-requests', row?.id as string, 'decide');
  expect((await stage.admin.post(own, { decision: 'approve' })).status).toBe(403);
});

test('an open forum takes no requests, and one elsewhere is unknown', async () => {
  expect((await request(await forums.create(), world.member)).body.code).toBe('forum_not_requestable');
  const elsewhere = await forums.create({ visibility: 'approval_required', chapter: world.otherChapterId });
  expect((await request(elsewhere, world.member)).status).toBe(404);
  expect((await request(await forums.create({ visibility: 'invite_only' }), world.member)).status).toBe(404);
});
