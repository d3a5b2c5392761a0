/** Flags, decisions and appeals about texts of forums. */
import { randomUUID } from 'node:crypto';
import { config } from '../../../config.js';
import type { Client } from '../../support/api.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person, signIn } from '../../support/world.js';

config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, forum_flag: 8 };
const stage = apiWorld();
const { world, other, as } = stage;
const forums = new Forums(stage);
const queue = (...more: string[]) => pathOf('review-queue', ...more);

/** Members who joined long ago. */
const flaggers: Person[] = [];
let secondAdmin: Client;
let forum: string;
beforeAll(async () => {
  for (let n = 0; n < 3; n += 1) flaggers.push(await aMember(world.organizationId, world.chapterId));
  await asOwner(`UPDATE memberships SET joined_date = '2020-01-01' WHERE user_id = ANY ($1)`, [
    flaggers.map(({ userId }) => userId),
  ]);
  const { userId } = await aMember(world.organizationId, world.otherChapterId);
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    userId,
  ]);
  secondAdmin = as({ token: await signIn(userId, world.organizationId) });
  await asOwner('INSERT INTO forum_settings (organization_id, hide_after_flags) VALUES ($1, 2)', [
    world.organizationId,
  ]);
  await stage.admin.post(`/api/organizations/${world.organizationId}/moderation-rules/`, {
    kind: 'keyword',
    pattern: 'spam',
    action: 'flag',
  });
});
beforeEach(async () => {
  forum = await forums.create();
  for (const person of flaggers) await forums.add(forum, person);
  await asOwner(`DELETE FROM throttles WHERE scope = 'forum_flag'`);
});

const moderator = () => as(world.regionalAdmin);
const flagger = (n: number) => as(flaggers[n] as Person);

/** The address of a new text of the member. */
async function write(kind: string, body = 'Mine'): Promise<string> {
  if (kind === 'post') return pathOf(forum, 'posts', await forums.post(forum, stage.member, { body }));
  const comments = pathOf(forum, 'posts', await forums.post(forum, stage.officer), 'comments');
  return `${comments}${(await stage.member.post(comments, { body })).body.id}/`;
}
const flag = async (path: string, n: number) => (await flagger(n).post(`${path}flag/`, { reason: 'Rude' })).status;
const statusFor = async (client: Client, path: string) => {
  const { status, body } = await client.get(path);
  return status === 200 ? body.status : status;
};
async function openCase(client = moderator()): Promise<{ id: string; version: number }> {
  return (await client.get(queue())).body.results.findLast((one: { forum: { id: string } }) => one.forum.id === forum);
}
const decide = async (client: Client, decision: 'approve' | 'remove', known?: { id: string; version: number }) => {
  const { id, version } = known ?? (await openCase(client));
  return client.post(queue(id, 'decide'), { decision, version, ...(decision === 'remove' && { reason: 'Rude.' }) });
};
interface News {
  notification_type: string;
  subject: { type: string; id: string };
  actor: unknown;
  is_read: boolean;
}
const newsOf = async (client: Client): Promise<News[]> =>
  (await client.get('/api/notifications/')).body.results.filter(
    ({ subject }: News) => subject.type === 'forum_case' || subject.type === 'forum_text',
  );

/** Whether a member of the forum has an unread notification that the text was published. */
const isTold = async (client: Client, path: string): Promise<boolean> => {
  const [, post] = /posts\/([^/]+)/.exec(path) ?? [];
  const { results } = (await client.get('/api/notifications/?is_read=false')).body;
  return results.some(
    ({ notification_type, subject }: News) =>
      subject.id === post && notification_type === (path.includes('comments') ? 'forum_reply' : 'forum_new_post'),
  );
};

describe.each(['post', 'comment'])('a %s', (kind) => {
  test('that waits is published by an approval, and then counts', async () => {
    const path = await write(kind, 'spam');
    const thread = path.replace(/comments\/.*/, '');
    expect(await statusFor(stage.officer, path)).toBe(404);
    expect(await isTold(flagger(2), path)).toBe(false);
    const decided = await decide(moderator(), 'approve');
    expect(await isTold(flagger(2), path)).toBe(true);
    expect(decided).toMatchObject({ status: 200, body: { status: 'approved', text_status: 'published' } });
    expect(await statusFor(stage.officer, path)).toBe('published');
    expect((await stage.officer.get(thread)).body.comment_count).toBe(kind === 'post' ? 0 : 1);
    expect((await newsOf(stage.member))[0]).toMatchObject({ notification_type: 'forum_case_decided' });
    // An edit that the rule flags hides it again, and the counts follow.
    const edited = await stage.member.patch(path, { body: 'more spam' });
    expect(edited.body.status).toBe('pending_review');
    expect(await statusFor(stage.officer, path)).toBe(404);
    expect(await isTold(flagger(2), path)).toBe(false);
    if (kind === 'post') return;
    expect((await stage.officer.get(thread)).body.comment_count).toBe(0);
    // A person who reads the thread meanwhile has not read the comment, and is told of it again.
    await flagger(2).post(`${thread}read/`);
    await decide(moderator(), 'approve');
    expect(await isTold(flagger(2), path)).toBe(true);
  });

  test('is hidden by enough flags, and after an approval again only if it was changed', async () => {
    const path = await write(kind);
    expect(await flag(path, 0)).toBe(201);
    expect(await flag(path, 0)).toBe(200);
    expect(await statusFor(stage.officer, path)).toBe('published');
    expect(await isTold(flagger(2), path)).toBe(true);
    expect(await flag(path, 1)).toBe(201);
    expect(await isTold(flagger(2), path)).toBe(false);
    expect(await statusFor(stage.officer, path)).toBe(404);
    expect(await statusFor(stage.member, path)).toBe('hidden');
    expect((await newsOf(stage.member))[0]).toMatchObject({ notification_type: 'forum_text_hidden', actor: null });
    expect((await decide(moderator(), 'approve')).body.flags).toHaveLength(2);
    expect(await isTold(flagger(2), path)).toBe(false);
    expect(await flag(path, 0)).toBe(200);
    expect(await flag(path, 2)).toBe(201);
    expect(await statusFor(stage.officer, path)).toBe('published');
    await stage.member.patch(path, { body: 'Changed' });
    expect(await flag(path, 0)).toBe(201);
    expect(await statusFor(stage.officer, path)).toBe(404);
  });

  test('is removed with a reason, and published again by the appeal', async () => {
    const path = await write(kind);
    await flag(path, 0);
    const found = await openCase();
    const missing = await moderator().post(queue(found.id, 'decide'), { decision: 'remove', version: found.version });
    expect(missing.body.errors).toHaveProperty('reason');
    expect((await decide(stage.admin, 'remove')).body).toMatchObject({ status: 'removed', reason: 'Rude.' });
    const placeholder = { status: 'removed', deletion: 'moderator', body: null, author: null };
    expect((await stage.member.get(path)).body).toMatchObject(placeholder);
    const appeal = (client: Client) => client.post(`${path}appeal/`, { text: 'It is not.' });
    expect((await appeal(stage.officer)).status).toBe(403);
    expect((await appeal(stage.member)).status).toBe(204);
    expect((await appeal(stage.member)).body.code).toBe('already_appealed');
    const appealed = await openCase(secondAdmin);
    expect((await moderator().get(queue(appealed.id))).body).toMatchObject({
      appeal_text: 'It is not.',
      can_decide: false,
    });
    for (const client of [moderator(), stage.admin])
      expect((await decide(client, 'approve', appealed)).status).toBe(403);
    expect((await decide(secondAdmin, 'approve', appealed)).body).toMatchObject({ status: 'approved' });
    expect((await stage.officer.get(path)).body).toMatchObject({ status: 'published', body: 'Mine' });
    expect((await decide(secondAdmin, 'remove', appealed)).body.code).toBe('already_decided');
    expect((await newsOf(stage.member))[0]).toMatchObject({ notification_type: 'forum_appeal_decided' });
  });

  test('that a moderator deletes or changes is told to its author, who may appeal for 14 days', async () => {
    const path = await write(kind);
    await moderator().patch(path, { body: 'Milder', reason: 'Rude' });
    expect((await newsOf(stage.member))[0]).toMatchObject({ notification_type: 'forum_text_changed' });
    expect((await stage.member.post(`${path}appeal/`, { text: 'Why?' })).body.code).toBe('text_not_removed');
    expect((await moderator().send('DELETE', path, { reason: 'Rude' })).status).toBe(204);
    expect((await newsOf(stage.member))[0]).toMatchObject({ notification_type: 'forum_case_decided' });
    const age = (days: number) =>
      asOwner(`UPDATE forum_cases SET decided_at = now() - make_interval(days => $2) WHERE forum_id = $1`, [
        forum,
        days,
      ]);
    await age(15);
    expect((await stage.member.post(`${path}appeal/`, { text: 'Why?' })).body.code).toBe('appeal_expired');
    await age(13);
    expect((await stage.member.post(`${path}appeal/`, { text: 'Why?' })).status).toBe(204);
    expect((await decide(secondAdmin, 'remove')).body).toMatchObject({ status: 'removed', appeal_reason: 'Rude.' });
    expect((await stage.member.post(`${path}appeal/`, { text: 'Why?' })).body.code).toBe('already_appealed');
  });
});

test('a person flags no own text and nothing that they do not see; flags of people who joined today do not hide', async () => {
  const path = await write('post');
  expect((await stage.member.post(`${path}flag/`)).status).toBe(400);
  expect((await as(other.admin).post(`${path}flag/`)).status).toBe(404);
  expect((await stage.nobody.post(`${path}flag/`)).status).toBe(401);
  await expectNowhere(randomUUID(), (id) => flagger(0).post(pathOf(forum, 'posts', id, 'flag')));
  const reader = await aMember(world.organizationId, world.chapterId);
  await forums.add(forum, reader, 'member', { status: 'left' });
  expect((await as(reader).post(`${path}flag/`)).status).toBe(403);
  await stage.officer.get(pathOf(forum));
  expect((await stage.officer.post(`${path}flag/`, { note: 'x'.repeat(1001) })).body.errors).toHaveProperty('note');
  expect((await stage.officer.post(`${path}flag/`)).status).toBe(201);
  expect(await flag(path, 0)).toBe(201);
  expect(await statusFor(stage.officer, path)).toBe('published');
  await stage.admin.patch(pathOf(forum), { is_archived: true });
  expect((await flagger(1).post(`${path}flag/`)).body.code).toBe('forum_archived');
});

test('two flags at the threshold hide a text once; two deciders decide it once', async () => {
  const path = await write('post');
  const flags = await during(
    'SELECT FROM forum_posts WHERE forum_id = $1 FOR UPDATE',
    [forum],
    [() => flag(path, 0), () => flag(path, 1)],
  );
  expect(flags).toEqual([201, 201]);
  expect(await statusFor(stage.member, path)).toBe('hidden');
  expect((await newsOf(stage.member)).filter((one) => one.notification_type === 'forum_text_hidden')).not.toHaveLength(
    0,
  );
  const known = await openCase();
  const decisions = await during(
    'SELECT FROM forum_posts WHERE forum_id = $1 FOR UPDATE',
    [forum],
    [() => decide(moderator(), 'remove', known), () => decide(stage.admin, 'approve', known)],
  );
  expect(decisions.map(({ status, body }) => body.code ?? status)).toEqual([200, 'already_decided']);
  expect(await statusFor(stage.member, path)).toBe('removed');
});

test('those who decide hear of a case and see it counted, until one of them decides', async () => {
  const approvals = async (client: Client) => (await client.get('/api/notifications/alert-summary/')).body.approvals;
  const clients = [stage.admin, moderator(), stage.officer, stage.member, flagger(0)];
  const counts = () => Promise.all(clients.map(approvals));
  const before = await counts();
  const path = await write('post');
  await flag(path, 0);
  expect((await counts()).map((count, n) => count - before[n])).toEqual([1, 1, 0, 0, 0]);
  const opened = (await newsOf(moderator()))[0];
  expect(opened).toMatchObject({ notification_type: 'forum_case_opened', actor: null, is_read: false });
  await decide(stage.admin, 'approve');
  expect((await newsOf(moderator()))[0]).toMatchObject({ notification_type: 'forum_case_opened', is_read: true });
  expect(await counts()).toEqual(before);
  // The author of a text that stayed visible does not hear of the flag.
  expect((await newsOf(stage.member)).filter(({ subject }) => subject.id === opened?.subject.id)).toEqual([]);
});

test('only moderators of the forum read a case, and never the author of its text', async () => {
  const path = await write('post');
  await flag(path, 0);
  const { id, version } = await openCase();
  const body = { decision: 'approve', version };
  expect((await moderator().get(queue(id))).body).toMatchObject({
    body: 'Mine',
    flags: [{ user: { id: flaggers[0]?.userId }, reason: 'Rude', note: null }],
    can_decide: true,
  });
  expect((await stage.officer.get(queue())).body.count).toBe(0);
  expect((await stage.nobody.get(queue())).status).toBe(401);
  for (const client of [stage.officer, stage.member]) {
    expect((await client.get(queue(id))).status).toBe(403);
    expect((await client.post(queue(id, 'decide'), body)).status).toBe(403);
  }
  for (const outsider of [as(other.admin), as(world.otherOfficer)]) {
    expect((await outsider.get(queue(id))).status).toBe(404);
    expect((await outsider.post(queue(id, 'decide'), body)).status).toBe(404);
  }
  await asOwner(`UPDATE forum_memberships SET role = 'moderator' WHERE forum_id = $1 AND user_id = $2`, [
    forum,
    world.member.userId,
  ]);
  expect(await openCase(stage.member)).toMatchObject({ id, can_decide: false });
  expect((await stage.member.get(queue(id))).status).toBe(403);
  expect((await stage.member.post(queue(id, 'decide'), body)).status).toBe(403);
  expect((await moderator().post(queue(id, 'decide'), { decision: 'approve' })).body.errors).toHaveProperty('version');
  await stage.member.patch(path, { body: 'Other words' });
  expect((await moderator().post(queue(id, 'decide'), body)).body.code).toBe('stale_version');
  // The author deletes the text: nothing is left to decide.
  await stage.member.delete(path);
  const closed = (await moderator().get(queue(id))).body;
  expect(closed).toMatchObject({ status: 'closed', title: null, body: null, body_html: null });
  expect((await decide(moderator(), 'approve', { id, version: 1 })).body.code).toBe('already_decided');
});

test('a removed post hides its comments from all but moderators', async () => {
  const path = await write('post');
  await stage.officer.post(`${path}comments/`, { body: 'Answer' });
  await moderator().send('DELETE', path, { reason: 'Rude' });
  const comments = async (client: Client) => (await client.get(`${path}comments/`)).body.results;
  expect(await comments(stage.officer)).toEqual([]);
  expect(await comments(stage.member)).toEqual([]);
  const [comment] = await comments(moderator());
  expect(comment).toMatchObject({ body: 'Answer' });
  expect((await stage.officer.get(`${path}comments/${comment.id}/`)).status).toBe(404);
  expect((await stage.officer.patch(`${path}comments/${comment.id}/`, { body: 'x' })).status).toBe(404);
});

test('a person flags only so many texts an hour', async () => {
  const paths: string[] = [];
  for (let n = 0; n < 9; n += 1) paths.push(await write('post'));
  for (const path of paths.slice(0, 8)) expect(await flag(path, 2)).toBe(201);
  expect(await flag(paths[0] as string, 2)).toBe(200);
  expect(await flag(paths[8] as string, 2)).toBe(429);
});
