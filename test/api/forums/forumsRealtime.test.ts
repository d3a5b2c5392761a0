/** Realtime topics of forums and threads: who hears that something changed, and who does not. */
import pg from 'pg';
import { uuidv7 } from '../../../models/database/uuid.js';
import { publishTextChange } from '../../../models/forums/topics.js';
import { findListeners } from '../../../models/notifications/realtime/topics.js';
import { inTenant } from '../../../models/database/tenancy.js';
import type { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { Forums, pathOf } from '../../support/forums.js';
import { insertRow } from '../../support/foundation.js';
import { asOwner } from '../../support/owner.js';
import { connected, type Message, shakeHands, type Socket } from '../../support/socket.js';
import { aMember, type Person } from '../../support/world.js';
import { impersonating } from '../identity/impersonation.support.js';

const stage = apiWorld();
const { api, world, as } = stage;
const forums = new Forums(stage);

/** A member of the chapter, whose forums they read without being members. */
let reader: Person;
let forum: string;
let post: string;
const open: Socket[] = [];
beforeAll(async () => {
  reader = await aMember(world.organizationId, world.chapterId);
  await stage.admin.post(`/api/organizations/${world.organizationId}/moderation-rules/`, {
    kind: 'keyword',
    pattern: 'spam',
    action: 'flag',
  });
});
beforeEach(async () => {
  forum = await forums.create();
  post = await aPost();
});
afterEach(async () => void (await Promise.all(open.splice(0).map((socket) => socket.close()))));

/** A post of the member that was not announced, so that no event of it reaches a socket. */
const aPost = () =>
  insertRow('forum_posts', {
    organization_id: world.organizationId,
    forum_id: forum,
    author_id: world.member.userId,
    title: 'Keys',
    body: 'Who has them?',
    body_html: '<p>Who has them?</p>',
    request_hash: 'x',
  });
const inForum = () => `forum:${forum}`;
const inThread = (id = post) => `forum_post:${id}`;
const path = (...more: string[]) => pathOf(forum, 'posts', post, ...more);
const comment = async (author: Client, body = 'I do'): Promise<string> =>
  (await author.post(path('comments'), { body })).body.id;

async function listen({ token }: { token: string }, ...topics: string[]): Promise<Socket> {
  const socket = await connected(api.url, { token });
  open.push(socket);
  for (const topic of topics) socket.say({ type: 'subscribe', topic });
  await socket.take('subscribed', topics.length);
  return socket;
}

const changeOf = (thread: string, commentId: string | null = null) => ({
  type: 'forum_thread.changed',
  forum,
  post: thread,
  comment: commentId,
});
/** The ids of a post, as an operation that changes it has them. */
const textOf = (id: string) => ({
  id,
  forum_id: forum,
  post_id: id,
  comment_id: null,
  author_id: world.member.userId,
});
const nextEvent = async (socket: Socket) => (await socket.take('published'))[0] as Message;

/** Requires that a person heard nothing of the steps before: the first event is that of a new post. */
async function expectNothingBut(sockets: Socket[], topic = inForum()): Promise<void> {
  const marker = await forums.post(forum, stage.member);
  for (const socket of sockets)
    expect(await nextEvent(socket)).toEqual({ type: 'published', topic, event: changeOf(marker) });
}

test('a member and a reader hear of new, changed and deleted texts, by their ids alone', async () => {
  const sockets = [await listen(world.member, inForum()), await listen(reader, inThread())];
  const topics = [inForum(), inThread()];
  const expectChange = async (commentId: string | null) => {
    for (const [at, socket] of sockets.entries())
      expect(await nextEvent(socket)).toEqual({
        type: 'published',
        topic: topics[at],
        event: changeOf(post, commentId),
      });
  };
  const id = await comment(stage.officer);
  await expectChange(id);
  await stage.officer.patch(path('comments', id), { body: 'I do not' });
  await expectChange(id);
  await stage.officer.send('DELETE', path('comments', id), {});
  await expectChange(id);
  for (const body of [{ pinned: true }, { pinned: false }]) {
    await as(world.regionalAdmin).post(path('pin'), body);
    await expectChange(null);
  }
  await as(world.regionalAdmin).post(path('lock'), {});
  await expectChange(null);
});

test('a subscriber of a forum hears that it changed, and stops when it is deleted', async () => {
  forum = await forums.create();
  const socket = await listen(world.member, inForum());
  await stage.admin.patch(pathOf(forum), { name: 'Rooms' });
  expect((await nextEvent(socket))['event']).toEqual({ type: 'forum.changed', forum });
  expect((await stage.admin.send('DELETE', pathOf(forum))).status).toBe(204);
  expect(await socket.take('unsubscribed')).toEqual([{ type: 'unsubscribed', topic: inForum() }]);
});

async function approveComment(id: string): Promise<void> {
  const [row] = await asOwner<{ id: string; version: number }>(
    'SELECT id, version FROM forum_cases WHERE comment_id = $1',
    [id],
  );
  const decision = { decision: 'approve', version: row?.version };
  expect(
    (await as(world.regionalAdmin).post(pathOf('review-queue', row?.id as string, 'decide'), decision)).status,
  ).toBe(200);
}

test('a text that waits for a decision signals to its author and moderators only, until it is approved', async () => {
  const [own, moderating, other] = [
    await listen(world.member, inForum()),
    await listen(world.regionalAdmin, inForum()),
    await listen(reader, inForum()),
  ];
  const id = await comment(stage.member, 'spam');
  for (const socket of [own, moderating]) expect((await nextEvent(socket))['event']).toEqual(changeOf(post, id));
  await stage.member.patch(path('comments', id), { body: 'more spam' });
  for (const socket of [own, moderating]) expect((await nextEvent(socket))['event']).toEqual(changeOf(post, id));
  await expectNothingBut([own, moderating, other]);
  await approveComment(id);
  for (const socket of [own, moderating, other]) expect((await nextEvent(socket))['event']).toEqual(changeOf(post, id));
});

test('a flagged text that stays visible signals nothing, and neither does its approval', async () => {
  const socket = await listen(world.member, inForum());
  await forums.add(forum, world.officer);
  const id = await comment(stage.member);
  expect((await nextEvent(socket))['event']).toEqual(changeOf(post, id));
  expect((await stage.officer.post(`${path('comments', id)}flag/`)).status).toBe(201);
  await approveComment(id);
  await expectNothingBut([socket]);
});

test('readers hear that a text was hidden, nothing of it afterwards, and their subscription of its thread ends', async () => {
  const [ofForum, ofThread] = [await listen(reader, inForum()), await listen(reader, inThread())];
  await stage.member.patch(path(), { body: 'spam' });
  expect((await nextEvent(ofForum))['event']).toEqual(changeOf(post));
  expect(await ofThread.take('unsubscribed')).toEqual([{ type: 'unsubscribed', topic: inThread() }]);
  expect((await as(reader).get(path())).status).toBe(404);
  await stage.member.patch(path(), { body: 'more spam' });
  await expectNothingBut([ofForum]);
  ofThread.say({ type: 'subscribe', topic: inThread() });
  expect(await ofThread.take('error')).toMatchObject([{ code: 'unknown_topic' }]);
  const removed = await forums.post(forum, stage.member);
  expect((await nextEvent(ofForum))['event']).toEqual(changeOf(removed));
  await stage.admin.send('DELETE', pathOf(forum, 'posts', removed), { reason: 'Rude.' });
  expect((await nextEvent(ofForum))['event']).toEqual(changeOf(removed));
});

test('a person who loses the forum between the subscription and the delivery hears nothing more', async () => {
  forum = await forums.create({ visibility: 'invite_only' });
  await forums.add(forum, world.member);
  await forums.add(forum, reader);
  post = await aPost();
  const lost = await listen(reader, inForum(), inThread());
  const stays = await listen(world.member, inForum());
  await asOwner(`UPDATE forum_memberships SET status = 'removed' WHERE forum_id = $1 AND user_id = $2`, [
    forum,
    reader.userId,
  ]);
  const id = await comment(stage.member);
  expect((await nextEvent(stays))['event']).toEqual(changeOf(post, id));
  const ended = (await lost.take('unsubscribed', 2)).map(({ topic }) => topic);
  expect(new Set(ended)).toEqual(new Set([inForum(), inThread()]));
  await comment(stage.member);
  await nextEvent(stays);
  expect(lost.messages.filter(({ type }) => type === 'published')).toEqual([]);
});

test('a forum that one does not see is as unknown as one that does not exist, and impersonation hears nothing', async () => {
  const hidden = await forums.create({ visibility: 'invite_only' });
  const foreign = (await as(stage.other.admin).post('/api/forums/', { name: 'Foreign' })).body.id;
  const socket = await listen(reader);
  const topics = [hidden, foreign, post].map((id) => `forum:${id}`).concat(inThread(forum));
  for (const topic of topics) socket.say({ type: 'subscribe', topic });
  expect(await socket.take('error', topics.length)).toEqual(
    topics.map((topic) => ({ type: 'error', code: 'unknown_topic', detail: 'There is no such topic.', topic })),
  );
  const { access } = await impersonating(api.url, world);
  expect(await shakeHands(api.url, { token: access })).toMatchObject({
    status: 403,
    body: { code: 'impersonation_area_closed' },
  });
});

test("a person's other devices hear that a thread was read, and other people do not", async () => {
  const [own, other] = [await listen(world.officer, inForum()), await listen(world.member, inForum())];
  for (let n = 0; n < 2; n += 1) expect((await stage.officer.post(path('read'))).status).toBe(204);
  expect((await nextEvent(own))['event']).toEqual({ type: 'forum_thread.read', forum, post });
  await expectNothingBut([own, other]);
});

test('many events and listeners of a topic are one check of access, and equal events are one signal', async () => {
  const other = await aPost();
  const people = await Promise.all(Array.from({ length: 4 }, () => aMember(world.organizationId, world.chapterId)));
  const sockets = await Promise.all(people.map((person) => listen(person, inForum())));
  const checks = await checksOf(async () => {
    await inTenant(world.organizationId, async () => {
      for (const before of [null, 'published'] as const)
        for (const id of [post, other]) publishTextChange(textOf(id), before);
    });
    for (const socket of sockets) {
      const events = (await socket.take('published', 2)).map(({ event }) => event);
      expect(events).toEqual([changeOf(post), changeOf(other)]);
    }
    await expectNothingBut(sockets);
  });
  // The second is that of the marker.
  expect(checks).toBe(2);
});

/** @returns how many statements checked the access of listeners, also in the background */
async function checksOf(work: () => Promise<unknown>): Promise<number> {
  const prototype = pg.Client.prototype as unknown as { query: (...values: unknown[]) => unknown };
  const original = prototype.query;
  let count = 0;
  prototype.query = function counted(...values: unknown[]) {
    const [query] = values as [string | { text: string }];
    if ((typeof query === 'string' ? query : query.text).includes('w.access IS NOT NULL')) count += 1;
    return original.apply(this, values);
  };
  try {
    await work();
  } finally {
    prototype.query = original;
  }
  return count;
}

test('more events than are sent one by one ask the client to read again', async () => {
  const socket = await listen(world.member, inForum());
  await inTenant(world.organizationId, async () => {
    for (let n = 0; n < 51; n += 1) publishTextChange(textOf(uuidv7()), 'published');
  });
  expect(await socket.take('resync')).toEqual([{ type: 'resync' }]);
});

test('the people of a topic are the same as those who read its subject', async () => {
  const users = [world.member, world.officer, world.regionalAdmin, world.admin, reader].map(({ userId }) => userId);
  const foreign = stage.other.member.userId;
  const found = await inTenant(world.organizationId, () => findListeners(inThread(), [...users, foreign]));
  expect(new Set(found.keys())).toEqual(new Set(users));
});
