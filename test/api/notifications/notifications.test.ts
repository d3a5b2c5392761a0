import { randomUUID } from 'node:crypto';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { during } from '../../support/during.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';
import { aNotification } from './world.support.js';

const stage = apiWorld();
const LIST = '/api/notifications/';

let person: Person;
beforeEach(async () => void (person = await aMember(stage.world.organizationId, stage.world.chapterId)));

const notifyMe = (more = {}) =>
  aNotification({ organizationId: stage.world.organizationId, to: person.userId, ...more });
const me = () => stage.as(person);
const ids = async (query = '') =>
  (await me().get<{ results: { id: string }[] }>(`${LIST}${query}`)).body.results.map(({ id }) => id);

test('the notification routes require a session', async () => {
  for (const path of ['', 'unread_count/', 'action_required_count/', 'alert-summary/'])
    expect(await stage.nobody.get(`${LIST}${path}`)).toMatchObject({ status: 401 });
  expect(await stage.nobody.post(`${LIST}mark_read/`, { mark_all: true })).toMatchObject({ status: 401 });
});

test("a person's own notifications are listed, newest first, in the form that the apps show", async () => {
  const first = await notifyMe();
  const second = await notifyMe({ event: 'invoice_overdue', action: 'Pay', actor: stage.world.admin.userId });
  await aNotification({ organizationId: stage.world.organizationId, to: stage.world.member.userId });
  await notifyMe({ unlisted: 'preference_off' });
  const { status, body } = await me().get(LIST);
  expect(status).toBe(200);
  expect(body).toEqual({
    count: 2,
    next: null,
    previous: null,
    results: [
      {
        id: second,
        notification_type: 'something_new',
        event_type: 'invoice_overdue',
        category: 'billing',
        title: 'A post',
        body: 'Somebody wrote.',
        target_url: expect.stringMatching(/^\/posts\//),
        is_read: false,
        read_at: null,
        requires_action: true,
        action_label: 'Pay',
        scheduled_for: null,
        subject: { type: 'post', id: expect.any(String) },
        actor: { id: stage.world.admin.userId, first_name: expect.any(String), last_name: expect.any(String) },
        created_at: expect.any(String),
      },
      expect.objectContaining({ id: first, category: 'forum', requires_action: false, actor: null }),
    ],
  });
});

test('an empty list has the same form', async () => {
  expect((await me().get(LIST)).body).toEqual({ count: 0, next: null, previous: null, results: [] });
});

test('the list shows the newest fifty in pages and continues before a given id', async () => {
  const all = [];
  for (let n = 0; n < 53; n += 1) all.unshift(await notifyMe());
  expect((await me().get(LIST)).body).toMatchObject({ count: 50, previous: null });
  expect(await ids('?page=2')).toEqual(all.slice(25, 50));
  expect(await me().get(`${LIST}?page=3`)).toMatchObject({ status: 404, body: { code: 'page_not_found' } });
  expect((await me().get(`${LIST}?before=${all[49]}`)).body).toMatchObject({ count: 3 });
  expect(await ids(`?before=${all[49]}`)).toEqual(all.slice(50));
});

test('filters are exact, and unknown ones are refused', async () => {
  const read = await notifyMe();
  const open = await notifyMe({ event: 'mention', action: 'Answer' });
  await me().post(`${LIST}mark_read/`, { notification_ids: [read] });
  expect(await ids('?is_read=true')).toEqual([read]);
  expect(await ids('?is_read=false')).toEqual([open]);
  expect(await ids('?requires_action=true')).toEqual([open]);
  expect(await ids('?category=forum')).toEqual([open, read]);
  expect(await ids('?category=billing')).toEqual([]);
  for (const [query, field] of [
    ['?colour=red', 'colour'],
    ['?category=x', 'category'],
    ['?is_read=yes', 'is_read'],
    ['?before=x', 'before'],
  ] as const)
    expect(await me().get(`${LIST}${query}`)).toMatchObject({
      status: 400,
      body: { code: 'validation_error', errors: { [field]: [expect.any(String)] } },
    });
});

test('a list, a count and a summary are one message each', async () => {
  await notifyMe();
  for (const path of ['', '?is_read=false', 'unread_count/', 'action_required_count/', 'alert-summary/'])
    expect([path, await countStatements(() => me().get(`${LIST}${path}`))]).toEqual([path, 1]);
});

test('counts cover all listed notifications, not only the newest fifty', async () => {
  for (let n = 0; n < 51; n += 1) await notifyMe(n < 2 ? { action: 'Answer' } : {});
  await notifyMe({ unlisted: 'preference_off', action: 'Answer' });
  expect((await me().get(`${LIST}unread_count/`)).body).toEqual({ count: 51 });
  expect((await me().get(`${LIST}action_required_count/`)).body).toEqual({ count: 2 });
  expect((await me().get(`${LIST}alert-summary/`)).body).toEqual({ notifications: 51, approvals: 0, compliance: 0 });
});

test('a notification is marked as read once, and the answer has the remaining number', async () => {
  const [one, two, three] = [await notifyMe(), await notifyMe(), await notifyMe()];
  const mark = (body: object) => me().post(`${LIST}mark_read/`, body);
  expect((await mark({ notification_ids: [one, one, two] })).body).toEqual({ updated: 2, unread_count: 1 });
  expect((await mark({ notification_ids: [one] })).body).toEqual({ updated: 0, unread_count: 1 });
  expect((await mark({ mark_all: true })).body).toEqual({ updated: 1, unread_count: 0 });
  expect((await me().get(LIST)).body).toMatchObject({
    results: [three, two, one].map((id) => ({ id, is_read: true, read_at: expect.any(String) })),
  });
});

test('a notification that another device reads at the same moment is not counted as unread', async () => {
  const [one, two] = [await notifyMe(), await notifyMe()];
  await notifyMe();
  const read = `UPDATE notifications SET read_at = now() WHERE id = ANY($1)`;
  const mark = (body: object) => me().post(`${LIST}mark_read/`, body);
  const [named] = await during(read, [[one, two]], [() => mark({ notification_ids: [one, two] })]);
  expect(named?.body).toEqual({ updated: 0, unread_count: 1 });
  await asOwner('UPDATE notifications SET read_at = NULL WHERE recipient_id = $1', [person.userId]);
  const [all] = await during(read, [[one, two]], [() => mark({ mark_all: true })]);
  expect(all?.body).toEqual({ updated: 1, unread_count: 0 });
});

test("other people's and unknown ids change nothing and reveal nothing", async () => {
  const theirs = await aNotification({
    organizationId: stage.world.organizationId,
    to: stage.world.member.userId,
  });
  const elsewhere = await aNotification({ organizationId: stage.other.organizationId, to: stage.other.member.userId });
  const { status, body } = await me().post(`${LIST}mark_read/`, {
    notification_ids: [theirs, elsewhere, randomUUID()],
  });
  expect([status, body]).toEqual([200, { updated: 0, unread_count: 0 }]);
  const rows = await asOwner('SELECT read_at FROM notifications WHERE id = ANY($1)', [[theirs, elsewhere]]);
  expect(rows).toEqual([{ read_at: null }, { read_at: null }]);
});

test.each([
  [{}, 'notification_ids'],
  [{ mark_all: true, notification_ids: [randomUUID()] }, 'notification_ids'],
  [{ mark_all: false }, 'mark_all'],
  [{ notification_ids: [] }, 'notification_ids'],
  [{ notification_ids: Array.from({ length: 501 }, () => randomUUID()) }, 'notification_ids'],
])('the body %j is refused', async (body, field) => {
  await notifyMe();
  const refused = await me().post<{ errors: object }>(`${LIST}mark_read/`, body);
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([400, [field]]);
  expect((await me().get(`${LIST}unread_count/`)).body).toEqual({ count: 1 });
});

test('two devices that mark notifications at the same time do not deadlock', async () => {
  for (let n = 0; n < 40; n += 1) await notifyMe();
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => me().post<{ updated: number }>(`${LIST}mark_read/`, { mark_all: true })),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.reduce((sum, { body }) => sum + body.updated, 0)).toBe(40);
});
