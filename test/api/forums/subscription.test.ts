/** Subscriptions in forums, and who hears of a text. */
import { inTenant } from '../../../models/database/tenancy.js';
import { fanOutNextBatch } from '../../../models/notifications/fanouts/fanOut.js';
import { claimDeliveries, concludeDelivery } from '../../../models/notifications/deliveries/claimDeliveries.js';
import { notifyPublished, withdrawHiddenTexts } from '../../../models/forums/notifyText.js';
import { withdrawNextPage } from '../../../models/forums/withdrawals.js';
import { apiWorld } from '../../support/apiWorld.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { listStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
const { world, as } = stage;
const forums = new Forums(stage);
const inWorld = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);

let author: Person;
let ada: Person;
let bob: Person;
let forum: string;
beforeEach(async () => {
  [author, ada, bob] = (await Promise.all([1, 2, 3].map(() => aMember(world.organizationId, world.chapterId)))) as [
    Person,
    Person,
    Person,
  ];
  forum = await forums.create();
  for (const person of [author, ada, bob]) await as(person).get(pathOf(forum));
  for (const [person, handle] of [
    [ada, 'ada'],
    [bob, 'bob'],
  ] as const) {
    await asOwner('DELETE FROM member_handles WHERE handle = $1', [handle]);
    await asOwner('UPDATE member_handles SET handle = $2 WHERE user_id = $1', [person.userId, handle]);
  }
});

const post = (fields = {}) => forums.post(forum, as(author), fields);
const comment = async (postId: string, person: Person, body = 'Me') =>
  (await as(person).post(pathOf(forum, 'posts', postId, 'comments'), { body })).body.id as string;
const subscription = (...thread: string[]) =>
  pathOf(forum, ...(thread.length > 0 ? ['posts', ...thread] : []), 'subscription');
/** Types of the notifications that are listed for a person, the newest first. */
const heard = async (person: { token: string }): Promise<string[]> =>
  (await as(person).get('/api/notifications/')).body.results.map(
    ({ notification_type: type }: { notification_type: string }) => type,
  );
const rowsOf = (subject: string) =>
  asOwner<{ recipient_id: string; notification_type: string; unlisted_reason: string | null }>(
    'SELECT recipient_id, notification_type, unlisted_reason FROM notifications WHERE subject_id = $1 ORDER BY id',
    [subject],
  );
/** Claims the mail that is due, as if two minutes had passed. @returns the recipients */
async function mailed(): Promise<string[]> {
  await asOwner('UPDATE notification_deliveries SET due_at = now() WHERE organization_id = $1 AND outcome IS NULL', [
    world.organizationId,
  ]);
  const { claimed } = await inWorld(() => claimDeliveries('email', 500));
  for (const { notificationId } of claimed) await inWorld(() => concludeDelivery('email', notificationId, 'sent'));
  return claimed.map(({ recipientId }) => recipientId);
}

test('becoming a member subscribes, and losing the membership ends it and withdraws the notifications', async () => {
  expect((await as(ada).get(subscription())).body).toEqual({ new_posts: true, replies: true });
  const everywhere = await forums.create({ region: null });
  await as(ada).get(pathOf(everywhere));
  const path = pathOf(everywhere, 'subscription');
  expect((await as(ada).get(path)).body).toEqual({ new_posts: true, replies: false });
  await as(ada).put(subscription(), { replies: false });
  await post();
  expect(await heard(ada)).toEqual(['forum_new_post']);
  expect((await as(ada).delete(pathOf(forum, 'membership'))).status).toBe(204);
  expect(await heard(ada)).toEqual([]);
  expect(await mailed()).not.toContain(ada.userId);
  expect((await as(ada).get(subscription())).body).toEqual({ new_posts: false, replies: false });
  expect((await as(ada).put(subscription(), { replies: true })).body.code).toBe('forum_membership_required');
  await as(ada).post(pathOf(forum, 'join'));
  expect((await as(ada).get(subscription())).body).toEqual({ new_posts: true, replies: true });
  expect((await as(ada).get(path)).body.new_posts).toBe(true);
  await post();
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE user_id = $1`, [bob.userId]);
  expect(await asOwner('SELECT 1 FROM forum_subscriptions WHERE user_id = $1', [bob.userId])).toEqual([]);
  expect(
    await asOwner(`SELECT 1 FROM notifications WHERE recipient_id = $1 AND unlisted_reason IS NULL`, [bob.userId]),
  ).toEqual([]);
  const hidden = await forums.create({ visibility: 'invite_only' });
  expect((await as(ada).get(pathOf(hidden, 'subscription'))).status).toBe(404);
  expect((await as(ada).put(subscription(), { muted: true })).body.errors).toHaveProperty('muted');
});

test('a person hears of a text once: as mentioned, else of a reply, else of a post; the author does not', async () => {
  const first = await post({ body: 'For @ada' });
  expect([await heard(author), await heard(ada), await heard(bob)]).toEqual([
    [],
    ['forum_mention'],
    ['forum_new_post'],
  ]);
  await comment(first, bob, 'Yes, @ada');
  expect([await heard(author), await heard(ada), await heard(bob)]).toEqual([
    ['forum_reply'],
    ['forum_mention', 'forum_mention'],
    ['forum_new_post'],
  ]);
  const [shown] = (await as(author).get('/api/notifications/')).body.results;
  expect(shown).toMatchObject({
    title: expect.stringMatching(/ replied in "Keys"$/),
    target_url: expect.stringMatching(new RegExp(`^/forums/${forum}/posts/${first}#comment-`)),
    subject: { type: 'forum_post', id: first },
  });
  expect((await rowsOf(first)).map(({ recipient_id }) => recipient_id)).not.toContain(world.member.userId);
});

test('the row of a thread wins over that of its forum, and a muted thread is silent', async () => {
  const thread = await post();
  for (const person of [ada, bob]) await as(person).put(subscription(), { replies: false });
  expect((await as(author).get(subscription(thread))).body).toEqual({ replies: true, muted: false });
  expect((await as(bob).put(subscription(thread), { replies: true })).body).toEqual({ replies: true, muted: false });
  await comment(thread, ada);
  expect([await heard(ada), await heard(bob)]).toEqual([['forum_new_post'], ['forum_reply', 'forum_new_post']]);
  expect((await as(bob).put(subscription(thread), { muted: true })).body).toEqual({ replies: true, muted: true });
  await comment(thread, ada, '@bob?');
  expect(await heard(bob)).toEqual(['forum_reply', 'forum_new_post']);
  const { body } = await as(bob).get(`/api/notifications/explain/?subject=forum_post:${thread}`);
  expect(body.results.map(({ in_app }: { in_app: { reason: string | null } }) => in_app.reason)).toContain('muted');
  expect((await as(bob).put(subscription(thread), { muted: false })).body.muted).toBe(false);
  await comment(thread, ada, '@bob!');
  expect((await heard(bob))[0]).toBe('forum_mention');
  // A comment follows the thread, unless its author has chosen.
  expect((await as(ada).get(subscription(thread))).body.replies).toBe(true);
  await as(ada).put(subscription(thread), { replies: false });
  await comment(thread, ada);
  expect((await as(ada).get(subscription(thread))).body.replies).toBe(false);
});

test('an edit notifies the newly named only, and a person who does not see the text is not told of it', async () => {
  const stranger = await aMember(world.organizationId, world.otherChapterId);
  await asOwner(`UPDATE member_handles SET handle = 'stranger' WHERE user_id = $1`, [stranger.userId]);
  for (const person of [ada, bob]) await as(person).put(subscription(), { new_posts: false });
  const thread = await post({ body: '@ada @stranger' });
  const edit = (body: string) => as(author).patch(pathOf(forum, 'posts', thread), { body });
  await edit('@ada @stranger and @bob');
  await edit('@bob, @ada');
  expect([await heard(ada), await heard(bob), await heard(stranger)]).toEqual([
    ['forum_mention'],
    ['forum_mention'],
    [],
  ]);
  expect((await rowsOf(thread)).map(({ recipient_id }) => recipient_id)).not.toContain(stranger.userId);
  const explain = (person: Person) => as(person).get(`/api/notifications/explain/?subject=forum_post:${thread}`);
  expect([(await explain(stranger)).status, (await explain(ada)).status]).toEqual([404, 200]);
});

test('access and the text are asked again at delivery, and reading a thread reads its notifications', async () => {
  const thread = await post();
  const reply = await comment(thread, ada);
  await comment(thread, ada, '@bob');
  expect(await heard(bob)).toEqual(['forum_mention', 'forum_reply', 'forum_new_post']);
  expect((await as(ada).delete(pathOf(forum, 'posts', thread, 'comments', reply))).status).toBe(204);
  expect(await heard(bob)).toEqual(['forum_mention', 'forum_new_post']);
  await asOwner('UPDATE forum_posts SET deleted_at = now(), deleted_by = author_id WHERE id = $1', [thread]);
  // The mail of the post is withheld, that of the other comment is sent.
  expect((await mailed()).filter((recipient) => recipient === bob.userId)).toHaveLength(1);
  expect((await as(bob).post(pathOf(forum, 'posts', thread, 'read'))).status).toBe(204);
  expect((await as(bob).get('/api/notifications/unread_count/')).body.count).toBe(0);
});

test('a text that is published again is told to those who neither read it nor got a mail', async () => {
  const thread = await post();
  const text = { id: thread, forum_id: forum, post_id: thread, comment_id: null, author_id: author.userId };
  await as(ada).post('/api/notifications/mark_read/', { mark_all: true });
  await inWorld(() => notifyPublished(text, []));
  const told = await rowsOf(thread);
  const hide = (isHidden: boolean) =>
    asOwner(
      `UPDATE forum_posts SET deleted_at = $2, deleted_by = CASE WHEN $2::timestamptz IS NOT NULL THEN author_id END WHERE id = $1`,
      [thread, isHidden ? new Date() : null],
    );
  await hide(true);
  await inWorld(() => notifyPublished(text, []));
  await inWorld(() => withdrawHiddenTexts(thread));
  expect([await heard(ada), await heard(bob)]).toEqual([['forum_new_post'], []]);
  await hide(false);
  await inWorld(() => notifyPublished(text, []));
  expect([await heard(ada), await heard(bob)]).toEqual([['forum_new_post'], ['forum_new_post']]);
  expect(await rowsOf(thread)).toHaveLength(told.length);
  await mailed();
  await hide(true);
  await inWorld(() => withdrawHiddenTexts(thread));
  await hide(false);
  await inWorld(() => notifyPublished(text, []));
  // The mail was sent, so the person has heard of the text.
  expect(await heard(bob)).toEqual([]);
});

/** Subscribes people without memberships to new posts of the forum. */
const subscribeMany = (count: number) =>
  asOwner(
    `WITH people AS (INSERT INTO users (email, first_name, last_name)
       SELECT gen_random_uuid() || '@example.org', 'Many', 'People' FROM generate_series(1, $1::int) RETURNING id)
     INSERT INTO forum_subscriptions (organization_id, forum_id, user_id, new_posts, replies)
     SELECT $2, $3, id, true, true FROM people`,
    [count, world.organizationId, forum],
  );

test('a post costs as many statements for a large forum, whose people a fan-out notifies', async () => {
  await subscribeMany(7);
  const few = await listStatements(() => post({ body: 'For @ada' }));
  await subscribeMany(250);
  let thread = '';
  const many = await listStatements(async () => void (thread = await post({ body: 'For @ada' })));
  expect(many.length).toBeLessThanOrEqual(few.length);
  expect((await rowsOf(thread)).map(({ recipient_id }) => recipient_id)).toEqual([ada.userId]);
  const [fanout] = await asOwner<{ id: string }>('SELECT id FROM notification_fanouts WHERE subject_id = $1', [thread]);
  while ((await inWorld(() => fanOutNextBatch(fanout?.id as string, 100))) === 'running');
  const rows = await rowsOf(thread);
  // Subscribers who cannot see the forum get no row.
  expect(new Set(rows.map(({ recipient_id }) => recipient_id))).toEqual(
    new Set([ada, bob, world.admin].map(({ userId }) => userId)),
  );
  expect(rows.filter(({ recipient_id }) => recipient_id === ada.userId)).toHaveLength(1);
});

test('more than 5,000 notifications are withdrawn in pages, and a page may run twice', async () => {
  const thread = await post();
  await subscribeMany(5_001);
  await asOwner(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id, created_at)
     SELECT organization_id, user_id, 'forum_post:' || $2::uuid || ':post', 'forum_new_post', 'new_post', 'x', 'forum_post', $2,
            now() - interval '2 days' FROM forum_subscriptions WHERE forum_id = $1 ON CONFLICT DO NOTHING`,
    [forum, thread],
  );
  await as(author).delete(pathOf(forum, 'posts', thread));
  const withdrawal = () => asOwner('SELECT version, finished_at FROM forum_withdrawals WHERE post_id = $1', [thread]);
  expect(await withdrawal()).toEqual([{ version: 2, finished_at: null }]);
  const page = () => inWorld(() => withdrawNextPage(thread, '2', 3_000));
  expect(await Promise.all([page(), page()])).toContain(true);
  while (await page());
  expect(await page()).toBe(false);
  expect((await rowsOf(thread)).filter(({ unlisted_reason }) => unlisted_reason === null)).toEqual([]);
  expect(await withdrawal()).toEqual([{ version: 2, finished_at: expect.any(Date) }]);
  await expect(inWorld(() => withdrawNextPage(thread, '7'))).rejects.toThrow('There is no such withdrawal.');
});

test('deciders hear of a request to join, its decision resolves it, and the requester hears of it', async () => {
  const closed = await forums.create({ visibility: 'approval_required' });
  const { body } = await as(ada).post(pathOf(closed, 'join-requests'), {});
  const request = async (person: { token: string }) =>
    (await as(person).get('/api/notifications/?requires_action=true')).body.results.find(
      ({ subject }: { subject: { id: string } }) => subject.id === body.id,
    );
  expect(await request(world.admin)).toMatchObject({ notification_type: 'forum_join_requested', is_read: false });
  expect((await request(world.regionalAdmin))?.is_read).toBe(false);
  expect(await request(ada)).toBeUndefined();
  await as(world.regionalAdmin).post(pathOf(closed, 'join-requests', body.id, 'decide'), { decision: 'reject' });
  expect((await request(world.admin))?.is_read).toBe(true);
  expect((await heard(ada))[0]).toBe('forum_join_decided');
  const invited = await stage.admin.post(pathOf(closed, 'invitations'), { user: ada.userId });
  expect((await heard(ada))[0]).toBe('forum_invited');
  expect((await request(ada))?.is_read).toBe(false);
  await as(ada).post(pathOf(closed, 'invitations', invited.body.id, 'accept'));
  expect((await request(ada))?.is_read).toBe(true);
});

test('mentions, and what authors hear of their texts, leave the list of people who no longer see the forum', async () => {
  const everywhere = await forums.create({ region: null });
  const reader = await aMember(world.organizationId, world.otherChapterId);
  await asOwner(`UPDATE member_handles SET handle = 'reader' WHERE user_id = $1`, [reader.userId]);
  const own = await forums.post(everywhere, as(reader));
  await as(reader).delete(pathOf(everywhere, 'membership'));
  await stage.admin.patch(pathOf(everywhere, 'posts', own), { body: 'Milder', reason: 'Rude' });
  await forums.post(everywhere, as(author), { body: '@reader' });
  expect(await heard(reader)).toEqual(['forum_mention', 'forum_text_changed']);
  const change = { visibility: 'invite_only' };
  const { body } = await stage.admin.patch(pathOf(everywhere), { ...change, dry_run: true });
  await stage.admin.patch(pathOf(everywhere), { ...change, preview_hash: body.preview_hash });
  expect(await heard(reader)).toEqual([]);
});

test('a person lists what they hear of the forums and threads that they see', async () => {
  const own = async (query = '') => (await as(ada).get(`/api/notifications/forum-subscriptions/${query}`)).body;
  const [first, second] = [await forums.post(forum, as(ada)), await post()];
  await as(ada).put(subscription(second), { replies: false, muted: true });
  const { id: place, name } = (await as(ada).get(pathOf(forum))).body;
  const ofForum = { forum: { id: place, name }, post: null, new_posts: true, replies: true, muted: false };
  const ofThread = { ...ofForum, new_posts: null };
  const ofSecond = { ...ofThread, post: { id: second, title: 'Keys' }, replies: false, muted: true };
  expect(await own()).toMatchObject({
    count: 3,
    results: [ofForum, ofSecond, { ...ofThread, post: { id: first, title: 'Keys' } }],
  });
  expect((await own('?page=2&page_size=2')).results).toMatchObject([{ post: { id: first } }]);
  expect((await own('?page=3')).code).toBe('page_not_found');
  // Another person's thread that waits for a decision is not listed, nor is the title of a deleted one.
  await asOwner(`UPDATE forum_posts SET status = 'hidden' WHERE id = $1`, [second]);
  await as(ada).delete(pathOf(forum, 'posts', first));
  expect((await own()).results).toEqual([ofForum, { ...ofThread, post: { id: first, title: null } }]);
  await asOwner(`UPDATE forum_memberships SET status = 'removed' WHERE forum_id = $1 AND user_id = $2`, [
    forum,
    ada.userId,
  ]);
  expect(await own()).toMatchObject({ count: 0, results: [] });
  expect((await stage.nobody.get('/api/notifications/forum-subscriptions/')).status).toBe(401);
});
