/** Tests the socket that delivers notifications as they are created. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { NotificationJson } from '../../../api/notifications/notifications/schema.js';
import { allSockets } from '../../../api/notifications/realtime/openSockets.js';
import { rows } from '../../../models/database/rows.js';
import { inPlatform, inTenant } from '../../../models/database/tenancy.js';
import { notifications } from '../../../models/finances/notifications.js';
import { withdrawNextBatch } from '../../../models/notifications/fanouts/fanOut.js';
import { notify } from '../../../models/notifications/notify.js';
import { defineTopics, publish } from '../../../models/notifications/realtime/topics.js';
import { uuidv7 } from '../../../models/database/uuid.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { connected, shakeHands, Socket } from '../../support/socket.js';
import { aMember, anInvoice, aPlatformAdmin, type Person } from '../../support/world.js';
import { aBrowser, givePassword } from '../identity/accounts.support.js';
import { aNotification } from './world.support.js';

const stage = apiWorld();
const { api, world } = stage;
const PATH = '/api/realtime/';

let person: Person;
const open: Socket[] = [];
beforeEach(async () => void (person = await aMember(world.organizationId, world.chapterId)));
afterEach(async () => void (await Promise.all(open.splice(0).map((socket) => socket.close()))));

async function live(asking: Parameters<typeof connected>[1] = { token: person.token }): Promise<Socket> {
  const socket = await connected(api.url, asking);
  open.push(socket);
  return socket;
}

const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);

/** Creates invoices and notifies their payer through notify(). @returns the ids of the invoices */
async function tell(count = 1, { membershipId } = person): Promise<string[]> {
  const invoices: string[] = [];
  for (let n = 0; n < count; n += 1)
    invoices.push(await anInvoice(world, { chapterId: world.chapterId, membershipId }));
  await inWorld(() => notify(notifications.invoice_issued, invoices));
  return invoices;
}

const storedIds = async () =>
  (
    await asOwner<{ id: string }>('SELECT id FROM notifications WHERE recipient_id = $1 ORDER BY id', [person.userId])
  ).map(({ id }) => id);
const eventIds = (messages: { notification: { id: string } }[]) => messages.map(({ notification }) => notification.id);

test("a plain request to the socket's address gets 426 or 401", async () => {
  expect(await stage.as(person).get(PATH)).toMatchObject({ status: 426, body: { code: 'upgrade_required' } });
  expect(await stage.nobody.get(PATH)).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
});

test('a refused handshake gets the error shape of every refusal before the upgrade', async () => {
  const handshake = (asking: Parameters<typeof shakeHands>[1]) => shakeHands(api.url, asking);
  expect(await handshake({})).toMatchObject({
    status: 401,
    body: { code: 'not_authenticated', detail: expect.any(String) },
    headers: { 'x-request-id': expect.any(String) },
  });
  expect(await handshake({ token: 'none' })).toMatchObject({ status: 401, body: { code: 'token_invalid' } });
  expect(await handshake({ token: person.token, since: 'yesterday' })).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { since: expect.anything() } },
  });
  const foreign = { 'X-Organization-Id': stage.other.organizationId };
  expect(await handshake({ token: person.token, headers: foreign })).toMatchObject({ status: 403 });
  await asOwner('UPDATE users SET must_change_password = true WHERE id = $1', [person.userId]);
  expect(await handshake({ token: person.token })).toMatchObject({
    status: 403,
    body: { code: 'password_change_required' },
  });
});

test('a cookie is accepted from a page of ours only, a token from any origin', async () => {
  await givePassword(person.userId);
  const cookie = `access_token=${(await aBrowser(api.url, person.email)).cookie('access_token')}`;
  const from = (origin?: string) =>
    shakeHands(api.url, { headers: { Cookie: cookie, ...(origin && { Origin: origin }) } });
  for (const strange of ['https://evil.example', 'null', `${api.url}.evil.example`, 'http://127.0.0.1', undefined])
    expect([strange, await from(strange)]).toMatchObject([
      strange,
      { status: 403, body: { code: 'cross_site_request' } },
    ]);
  for (const own of ['http://localhost:3000', api.url]) {
    const socket = await from(own);
    expect([own, socket]).toEqual([own, expect.any(Socket)]);
    open.push(socket as Socket);
  }
  // The cookie counts if a request has both.
  expect(
    await shakeHands(api.url, { token: person.token, headers: { Cookie: cookie, Origin: 'https://evil.example' } }),
  ).toMatchObject({ status: 403 });
});

test("the socket's hello carries the ids and the heartbeat that a client needs, followed by the counts", async () => {
  const id = await aNotification({ organizationId: world.organizationId, to: person.userId });
  const socket = await live();
  expect(await socket.hears(({ length }) => length === 2)).toEqual([
    {
      type: 'hello',
      user_id: person.userId,
      organization_id: world.organizationId,
      newest: id,
      heartbeat_seconds: 30,
    },
    { type: 'counts', unread_count: 1, action_required_count: 0 },
  ]);
});

test('a notification is pushed at once in the form of the list', async () => {
  const socket = await live();
  const other = await live({ token: world.officer.token });
  await tell();
  const [event] = await socket.take('notification.created');
  const { results } = (await stage.as(person).get('/api/notifications/')).body;
  expect(event).toEqual({ type: 'notification.created', quiet: false, notification: results[0] });
  expect(NotificationJson.safeParse(event?.['notification']).error).toBeUndefined();
  expect((await socket.take('counts', 2)).at(-1)).toEqual({
    type: 'counts',
    unread_count: 1,
    action_required_count: 1,
  });
  // The officer's own notification arrives, so another's would have arrived before it.
  await tell(1, world.officer);
  expect(await other.take('notification.created')).toHaveLength(1);
  expect(other.messages.filter(({ type }) => type === 'notification.created')).toEqual([]);
});

test('the event says that quiet hours hold mail and push', async () => {
  const socket = await live();
  await asOwner(
    `INSERT INTO user_quiet_hours (user_id, enabled, start_time, end_time, timezone)
     VALUES ($1, true, (now() AT TIME ZONE 'UTC' - interval '1 hour')::time, (now() AT TIME ZONE 'UTC' + interval '2 hours')::time, 'UTC')`,
    [person.userId],
  );
  // An account is its own subject.
  const subject = person.userId;
  await inWorld(() =>
    notify({ ...notifications.invoice_issued, event: 'new_post', facts: 'account_facts', title: 'A post' }, [subject], {
      to: [person.userId],
    }),
  );
  const [event] = await socket.take('notification.created');
  expect(event).toMatchObject({
    quiet: true,
    notification: { scheduled_for: expect.any(String), subject: { id: subject } },
  });
});

test('a notification that is not in the bell is not pushed', async () => {
  const socket = await live();
  await stage
    .as(person)
    .post('/api/notifications/preferences/', { event_type: 'invoice_issued', in_app_enabled: false });
  await tell();
  await stage
    .as(person)
    .post('/api/notifications/preferences/', { event_type: 'invoice_issued', in_app_enabled: true });
  await tell();
  await socket.take('notification.created');
  expect(await storedIds()).toHaveLength(2);
  expect(socket.messages.filter(({ type }) => type === 'notification.created')).toEqual([]);
});

test('a rollback pushes nothing', async () => {
  const socket = await live();
  const [invoice = ''] = await tell();
  await socket.take('notification.created');
  await expect(
    inWorld(async () => {
      await notify(notifications.invoice_issued, [invoice], { cause: 'again' });
      throw new Error('No.');
    }),
  ).rejects.toThrow('No.');
  await tell();
  expect(eventIds((await socket.take('notification.created')) as never)).toEqual([(await storedIds()).at(-1)]);
});

test('a notification read on one device is marked as read on the others', async () => {
  const [one, other] = [await live(), await live()];
  await tell(2);
  await one.take('notification.created', 2);
  const [first = ''] = await storedIds();
  await stage.as(person).post('/api/notifications/mark_read/', { notification_ids: [first] });
  for (const socket of [one, other]) {
    expect(await socket.take('notification.read')).toEqual([{ type: 'notification.read', ids: [first] }]);
    const counts = await socket.hears((messages) => messages.at(-1)?.['unread_count'] === 1);
    expect(counts.at(-1)).toMatchObject({ type: 'counts', action_required_count: 1 });
  }
});

test('a change of more notifications than one message can name asks the client to resync', async () => {
  const socket = await live();
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     SELECT $1, $2, 'post:' || n, 'something_new', 'new_post', 'A post', 'post', $2 FROM generate_series(1, 501) n`,
    [world.organizationId, person.userId],
  );
  await stage.as(person).post('/api/notifications/mark_read/', { mark_all: true });
  expect(await socket.take('resync')).toEqual([{ type: 'resync' }]);
  await tell(51);
  await socket.take('resync');
  expect((await socket.take('counts', 3)).at(-1)).toMatchObject({ unread_count: 51 });
  expect(socket.messages.map(({ type }) => type)).toEqual(['hello']);
});

test('a returning client gets missed notifications, oldest first, or is asked to resync', async () => {
  await tell(3);
  const [first = '', ...missed] = await storedIds();
  const socket = await live({ token: person.token, since: first });
  expect(eventIds((await socket.take('notification.created', 2)) as never)).toEqual(missed);
  await tell(49);
  const again = await live({ token: person.token, since: missed[0] as string });
  expect(await again.take('notification.created', 50)).toHaveLength(50);
  // All of it was announced before: a client that connects now does not get it as new.
  await socket.take('notification.created', 49);
  const late = await live({ token: person.token, since: first });
  await late.take('resync');
  await late.take('counts');
  expect(late.messages.map(({ type }) => type)).toEqual(['hello']);
});

describe('the end of a connection', () => {
  // All sockets are checked each minute: one that closes earlier was closed because of the change.
  const soon = async (change: () => Promise<unknown>) => {
    const socket = await live();
    await change();
    const late = new Promise((resolve) => setTimeout(resolve, 30_000, 'late').unref());
    expect(await Promise.race([socket.closed, late])).toEqual({ code: 4401, reason: 'session_ended' });
  };
  const sql = (text: string) => () => asOwner(text, [person.userId]);

  test('log-out closes the socket', () => soon(() => stage.as(person).post('/api/auth/logout/', {})));
  test('a revoked session closes the socket', () =>
    soon(sql(`UPDATE sessions SET revoked_at = now(), revoked_reason = 'x' WHERE user_id = $1`)));
  test('a deleted session closes the socket', () => soon(sql('DELETE FROM sessions WHERE user_id = $1')));
  test('a switch of the session to another organization closes the socket', () =>
    soon(sql('UPDATE sessions SET switches = switches + 1 WHERE user_id = $1')));
  test('disabling the account closes the socket', () =>
    soon(sql('UPDATE users SET disabled_at = now() WHERE id = $1')));
  test('the end of the membership closes the socket', () =>
    soon(sql(`UPDATE memberships SET status = 'inactive' WHERE user_id = $1`)));
});

test("suspending an organization closes its members' sockets and no others", async () => {
  const [mine, theirs] = [await live(), await live({ token: stage.other.member.token })];
  const ofPlatform = await live({
    token: (await aPlatformAdmin()).token,
    headers: { 'X-Organization-Id': stage.other.organizationId },
  });
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [stage.other.organizationId]);
  expect(await theirs.closed).toMatchObject({ code: 4401 });
  await asOwner('UPDATE organizations SET is_active = true WHERE id = $1', [stage.other.organizationId]);
  await tell();
  await mine.take('notification.created');
  expect(ofPlatform.raw.readyState).toBe(ofPlatform.raw.OPEN);
});

test('a notification from a raw INSERT shows after a check announcement', async () => {
  const socket = await live();
  await aNotification({ organizationId: world.organizationId, to: person.userId });
  await asOwner(`SELECT pg_notify('announcements', json_build_object('kind', 'check', 'user', $1::text)::text)`, [
    person.userId,
  ]);
  expect(await socket.take('resync')).toEqual([{ type: 'resync' }]);
});

test('withdrawn notifications of a fan-out ask the client to resync', async () => {
  const { membershipId: subject, userId } = person;
  const [fanout] = await asOwner<{ id: string }>(
    `INSERT INTO notification_fanouts (organization_id, notification_type, subject_id, cause, audience, audience_id, expected, status, closed_at)
     VALUES ($1, 'membership_changed', $2, 'told', 'members', $1, 1, 'cancelled', now()) RETURNING id`,
    [world.organizationId, subject],
  );
  const id = await aNotification({ organizationId: world.organizationId, to: userId, type: 'membership_changed' });
  await asOwner(`UPDATE notifications SET event_id = 'membership:' || $2 || ':told' WHERE id = $1`, [id, subject]);
  const socket = await live();
  await socket.take('hello');
  await inWorld(() => withdrawNextBatch(fanout?.id as string));
  await socket.take('resync');
});

test('a person has at most ten sockets and can open another after closing one', async () => {
  const sockets = await Promise.all(Array.from({ length: 10 }, () => live()));
  expect(await shakeHands(api.url, { token: person.token })).toMatchObject({
    status: 429,
    body: { code: 'too_many_sockets' },
    headers: { 'retry-after': '60' },
  });
  await sockets[0]?.close();
  await live();
});

describe('messages from clients', () => {
  const CHAPTER = {
    access: '(SELECT true FROM memberships m WHERE m.user_id = w.user_id AND m.chapter_id = w.subject_id)',
  };
  beforeAll(() => defineTopics({ chapter: CHAPTER }));
  const topic = () => `chapter:${world.chapterId}`;

  test('a client hears a topic until it may not any more or unsubscribes', async () => {
    const socket = await live();
    socket.say({ type: 'subscribe', topic: topic() });
    expect(await socket.take('subscribed')).toEqual([{ type: 'subscribed', topic: topic() }]);
    const news = () => inWorld(async () => publish('chapter', world.chapterId, { type: 'chapter.changed' }));
    await news();
    expect(await socket.take('published')).toEqual([
      { type: 'published', topic: topic(), event: { type: 'chapter.changed' } },
    ]);
    await asOwner('UPDATE memberships SET chapter_id = $2 WHERE user_id = $1', [person.userId, world.otherChapterId]);
    await news();
    expect(await socket.take('unsubscribed')).toEqual([{ type: 'unsubscribed', topic: topic() }]);
    await news();
    socket.say({ type: 'unsubscribe', topic: topic() });
    await socket.take('unsubscribed');
    expect(socket.messages.filter(({ type }) => type === 'published')).toEqual([]);
  });

  test('after the listener was disconnected, subscribers are asked to resync', async () => {
    const [subscribed, other] = [await live(), await live()];
    subscribed.say({ type: 'subscribe', topic: topic() });
    await subscribed.take('subscribed');
    await inPlatform(() =>
      rows(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN announcements'`,
      ),
    );
    expect(await subscribed.take('resync')).toEqual([{ type: 'resync' }]);
    expect(other.messages.filter(({ type }) => type === 'resync')).toEqual([]);
  });

  test('an unknown topic and one without access get the same error', async () => {
    const socket = await live();
    const unknown = [`chapter:${stage.other.chapterId}`, `chapter:${uuidv7()}`, `thread:${uuidv7()}`];
    for (const one of unknown) socket.say({ type: 'subscribe', topic: one });
    expect(await socket.take('error', 3)).toEqual(
      unknown.map((one) => ({ type: 'error', code: 'unknown_topic', detail: expect.any(String), topic: one })),
    );
  });

  test('a client subscribes to at most fifty topics', async () => {
    defineTopics({ any: { access: 'true' } });
    const socket = await live();
    for (let n = 0; n < 51; n += 1) socket.say({ type: 'subscribe', topic: `any:${uuidv7()}` });
    expect(await socket.take('subscribed', 50)).toHaveLength(50);
    expect(await socket.take('error')).toMatchObject([{ code: 'too_many_topics' }]);
  });

  test.each(['{', '[]', '"subscribe"', '{"type":"publish"}', '{"type":"subscribe","topic":"x","more":1}'])(
    'the message %s is refused',
    async (text) => {
      const socket = await live();
      socket.raw.send(text);
      expect(await socket.take('error')).toMatchObject([{ code: 'invalid_message' }]);
    },
  );

  test('a message that is too long closes the socket, and a binary one is refused', async () => {
    const socket = await live();
    socket.raw.send('x'.repeat(4_097));
    expect(await socket.closed).toMatchObject({ code: 1009 });
    const other = await live();
    other.raw.send(Buffer.from('{}'));
    expect(await other.take('error')).toMatchObject([{ code: 'invalid_message' }]);
  });

  test('a client that sends too many messages is disconnected', async () => {
    const socket = await live();
    for (let n = 0; n < 121; n += 1) socket.say(n);
    expect(await socket.closed).toEqual({ code: 1008, reason: 'too_many_messages' });
  });
});

test('a client that does not read is disconnected and does not disturb others', async () => {
  defineTopics({ any: { access: 'true' } });
  const [slow, quick] = [await live(), await live()];
  const topic = `any:${uuidv7()}`;
  for (const socket of [slow, quick]) {
    socket.say({ type: 'subscribe', topic });
    await socket.take('subscribed');
  }
  slow.raw.pause();
  // Postgres delivers equal notifications of one transaction only once, so each event has its number.
  const event = (n: number) => ({ type: 'x'.repeat(7_000), n: `${n}` });
  // The kernel's buffers absorb some megabytes first.
  for (let page = 0; page < 30; page += 1) {
    await inWorld(async () => {
      for (let n = 0; n < 50; n += 1) publish('any', topic.slice(4), event(page * 50 + n));
    });
    // The quick client needs time to read: sender and reader are one process here.
    await quick.take('published', 50);
  }
  slow.raw.resume();
  expect(await slow.closed).toMatchObject({ code: 1006 });
  expect(slow.messages.length).toBeLessThan(1_500);
});

test('a client that answers a ping stays, and one that does not is disconnected at the next', async () => {
  const [here, silent] = [await live(), await live()];
  const beat = () =>
    allSockets()
      .filter(({ holder }) => holder.userId === person.userId)
      .forEach((socket) => socket.checkHeartbeat());
  silent.raw.pause();
  const pinged = once(here.raw, 'ping');
  beat();
  await pinged;
  // The server processes this message after the client's answer to the ping.
  here.say({ type: 'subscribe', topic: `none:${uuidv7()}` });
  await here.take('error');
  beat();
  silent.raw.resume();
  expect(await silent.closed).toMatchObject({ code: 1006 });
  expect(here.raw.readyState).toBe(here.raw.OPEN);
});

/** Sends raw HTTP. @returns the answer */
function byHand(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(api.url).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.once('close', () => resolve(answer));
    socket.once('error', reject);
    socket.write(text);
  });
}

const HEAD = (more: string) =>
  `GET ${PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${person.token}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${more}\r\n`;

test.each([
  ['no key', 'Sec-WebSocket-Version: 13\r\n'],
  ['another version', 'Sec-WebSocket-Version: 99\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n'],
])('a handshake with %s is refused as malformed', async (_, more) => {
  const answer = await byHand(HEAD(more));
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(answer).toContain('"code":"malformed_request"');
});

test('an upgrade to another protocol is ignored', async () => {
  const body = JSON.stringify({ email: 'nobody@example.org', password: 'whatever it is' });
  const answer = await byHand(
    `POST /api/auth/login/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1.1 401 /);
  expect(answer).toMatch(/HTTP\/1.1 200 /);
});

test('a handshake at another address is answered as a plain request', async () => {
  const refused = new Promise((resolve) => {
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' };
    http.get(`${api.url}/api/nowhere/`, { headers }, ({ statusCode }) => resolve(statusCode));
  });
  expect(await refused).toBe(404);
});
