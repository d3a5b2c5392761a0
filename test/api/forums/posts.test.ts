/** Posts of forums. */
import { config } from '../../../config.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { aKey, Forums, pathOf } from '../../support/forums.js';
import { eraseDeletedTexts } from '../../../models/forums/eraseDeletedTexts.js';
import { asOwner } from '../../support/owner.js';
import { aMember } from '../../support/world.js';

config.THROTTLE_LIMITS = { ...config.THROTTLE_LIMITS, forum_post: 12 };
const stage = apiWorld();
const { world, as } = stage;
const forums = new Forums(stage);

let forum: string;
beforeEach(async () => {
  forum = await forums.create();
  await asOwner(`DELETE FROM throttles WHERE scope = 'forum_post'`);
});
const posts = (...more: string[]) => pathOf(forum, 'posts', ...more);
const text = { title: 'Keys', body: 'Who has the *spare* keys?' };
const remove = (person: { token: string }, path: string, body?: object) => as(person).send('DELETE', path, body);

test('a person in the scope writes a post and becomes a member', async () => {
  const { status, body } = await stage.member.post(posts(), text);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(String),
    author: { id: world.member.userId, first_name: 'First', last_name: expect.any(String) },
    deletion: null,
    status: 'published',
    created_at: expect.any(String),
    edited_at: null,
    version: 1,
    title: 'Keys',
    is_pinned: false,
    is_locked: false,
    comment_count: 0,
    last_activity_at: expect.any(String),
    is_unread: false,
    body: text.body,
    body_html: '<p>Who has the <em>spare</em> keys?</p>',
    attachments: [],
    mentions: [],
  });
  expect(await forums.row(forum, world.member)).toMatchObject({ status: 'active' });
  const { mentions: _, ...post } = body;
  expect((await stage.member.get(posts(body.id))).body).toEqual(post);
  await expectNowhere(await forums.post(await forums.create(), stage.member), (id) => stage.member.get(posts(id)));
});

test.each([
  [{ title: '' }, 'title'],
  [{ title: 'x'.repeat(201) }, 'title'],
  [{ title: 'a\nb' }, 'title'],
  [{ body: ' \u200b ' }, 'body'],
  [{ body: 'x'.repeat(20_001) }, 'body'],
  [{ idempotency_key: 'ü' }, 'idempotency_key'],
  [{ is_pinned: true }, 'is_pinned'],
])('%j is refused and names %s', async (fields, field) => {
  const { status, body } = await stage.member.post(posts(), { ...text, ...fields });
  expect(status).toBe(400);
  expect(Object.keys(body.errors)).toEqual([field]);
});

test('requests with one key write one post, also at once; other content is a mismatch', async () => {
  const body = { ...text, idempotency_key: aKey() };
  const answers = await during(
    'SELECT FROM users WHERE id = $1 FOR UPDATE',
    [world.member.userId],
    [() => stage.member.post(posts(), body), () => stage.member.post(posts(), body)],
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect((await stage.member.post(posts(), { ...body, title: 'Other' })).body.code).toBe('idempotency_mismatch');
  expect((await stage.member.get(posts())).body.count).toBe(1);
  expect((await stage.officer.post(posts(), body)).body.id).not.toBe(answers[0]?.body.id);
});

test('an author changes and deletes a post; of two edits at once, one is stale', async () => {
  const id = await forums.post(forum, stage.member);
  const edit = (body: string) => stage.member.patch(posts(id), { body, version: 1 });
  const edits = await during(
    'SELECT FROM forum_posts WHERE id = $1 FOR UPDATE',
    [id],
    [() => edit('One'), () => edit('Two')],
  );
  expect(edits.map(({ status, body }) => body.code ?? status)).toEqual([200, 'stale_version']);
  expect((await stage.member.get(posts(id))).body).toMatchObject({ version: 2, edited_at: expect.any(String) });
  expect((await remove(world.member, posts(id))).status).toBe(204);
  expect((await remove(world.member, posts(id))).status).toBe(204);
  expect((await stage.officer.get(posts(id))).body).toMatchObject({
    deletion: 'author',
    author: null,
    title: null,
    body: null,
    body_html: null,
  });
  expect((await stage.member.patch(posts(id), { body: 'Late' })).body.code).toBe('text_deleted');
});

test('moderators change and delete any post with a reason; other members change none', async () => {
  const id = await forums.post(forum, stage.member);
  expect((await stage.officer.patch(posts(id), { body: 'Mine' })).status).toBe(403);
  expect((await remove(world.officer, posts(id), { reason: 'Off topic' })).status).toBe(403);
  const moderator = as(world.regionalAdmin);
  expect((await moderator.patch(posts(id), { title: 'Better' })).body.errors).toHaveProperty('reason');
  expect((await moderator.patch(posts(id), { title: 'Better', reason: 'Clearer' })).body.title).toBe('Better');
  expect((await remove(world.regionalAdmin, posts(id))).body.errors).toHaveProperty('reason');
  expect((await remove(world.regionalAdmin, posts(id), { reason: 'Off topic' })).status).toBe(204);
  expect((await stage.member.get(posts(id))).body.deletion).toBe('moderator');
  const log = await asOwner<{ action: string; after: object }>(
    `SELECT l.action, v.after FROM audit_log l JOIN audit_values v ON v.entry_id = l.id WHERE l.subject_id = $1 AND v.after IS NOT NULL ORDER BY l.id`,
    [id],
  );
  expect(log).toEqual([
    { action: 'forum_post.updated', after: { reason: 'Clearer' } },
    { action: 'forum_post.deleted', after: { reason: 'Off topic' } },
  ]);
});

test('a post that waits while its author is removed, or the forum is archived, is refused', async () => {
  const member = await forums.add(forum, world.member);
  const race = (change: () => Promise<{ status: number; body: { code?: string } }>) =>
    during('SELECT FROM forums WHERE id = $1 FOR UPDATE', [forum], [change, () => stage.member.post(posts(), text)]);
  const [removed, late] = await race(() => stage.admin.delete(pathOf(forum, 'members', member)));
  expect([removed?.status, late?.body.code]).toEqual([204, 'forum_membership_required']);
  await asOwner(`UPDATE forum_memberships SET status = 'active' WHERE id = $1`, [member]);
  const [archived, later] = await race(() => stage.admin.patch(pathOf(forum), { is_archived: true }));
  expect([archived?.status, later?.body.code]).toEqual([200, 'forum_archived']);
});

test('a deleted text is erased after 30 days, twice over, and its placeholder stays', async () => {
  const id = await forums.post(forum, stage.member);
  await stage.member.post(posts(id, 'comments'), { body: 'Mine' });
  const [comment] = (await stage.officer.get(posts(id, 'comments'))).body.results;
  await stage.member.delete(posts(id, `comments/${comment.id}`));
  const recent = await forums.post(forum, stage.member);
  for (const post of [id, recent]) await stage.member.delete(posts(post));
  for (const table of ['forum_posts', 'forum_comments'])
    await asOwner(`UPDATE ${table} SET deleted_at = now() - interval '30 days' WHERE id IN ($1, $2)`, [id, comment.id]);
  for (let run = 0; run < 2; run += 1) expect(await eraseDeletedTexts(10)).toBe(false);
  const left = await asOwner<{ id: string }>('SELECT id FROM forum_posts WHERE body IS NOT NULL AND id IN ($1, $2)', [
    id,
    recent,
  ]);
  expect(left).toEqual([{ id: recent }]);
  expect(await asOwner('SELECT body, body_html FROM forum_comments WHERE id = $1', [comment.id])).toEqual([
    { body: null, body_html: null },
  ]);
  expect((await stage.officer.get(posts(id))).body).toMatchObject({ deletion: 'author', title: null });
});

test('the feed begins with pinned threads, then the latest activity, and is filtered', async () => {
  const ids: string[] = [];
  for (const title of ['One', 'Two', 'Three']) ids.push(await forums.post(forum, stage.member, { title }));
  const [one, two, three] = ids as [string, string, string];
  await stage.admin.post(posts(one, 'pin'));
  await stage.officer.post(posts(two, 'comments'), { body: 'Me' });
  const titles = async (query = '') =>
    (await stage.officer.get(`${posts()}${query}`)).body.results.map(({ title }: { title: string }) => title);
  expect(await titles()).toEqual(['One', 'Two', 'Three']);
  expect(await titles('?page_size=1&page=2')).toEqual(['Two']);
  expect((await stage.officer.get(`${posts()}?page=9`)).body.code).toBe('page_not_found');
  await stage.member.delete(posts(three));
  expect(await titles(`?author=${world.member.userId}`)).toEqual(['One', 'Two']);
  expect((await stage.officer.get(`${posts()}?author=x`)).body.errors).toHaveProperty('author');
});

test('a thread is unread after activity that a member has not read', async () => {
  const id = await forums.post(forum, stage.member);
  const unread = async (person: { token: string }) => (await as(person).get(pathOf(forum))).body.unread_count;
  expect(await unread(world.officer)).toBe(0);
  await stage.member.post(posts(id, 'comments'), { body: 'Found them' });
  expect(await unread(world.member)).toBe(0);
  expect(await unread(world.officer)).toBe(1);
  expect((await stage.officer.get(`${posts()}?unread=true`)).body.count).toBe(1);
  expect((await stage.officer.post(posts(id, 'read'))).status).toBe(204);
  expect(await unread(world.officer)).toBe(0);
  expect((await stage.officer.get(`${posts()}?unread=true`)).body.count).toBe(0);
  expect((await stage.officer.get(posts(id))).body.is_unread).toBe(false);
  expect((await stage.officer.post(pathOf(await forums.create(), 'posts', id, 'read'))).status).toBe(404);
});

test('moderators pin at most five posts, also at once', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await forums.post(forum, stage.member));
  const pin = (id: string | undefined, body?: object) => as(world.regionalAdmin).post(posts(id as string, 'pin'), body);
  expect((await stage.member.post(posts(ids[0] as string, 'pin'))).status).toBe(403);
  for (const id of ids.slice(0, 4)) expect((await pin(id)).body.is_pinned).toBe(true);
  expect((await pin(ids[0])).status).toBe(200);
  const fifth = await during(
    'SELECT FROM forums WHERE id = $1 FOR UPDATE',
    [forum],
    [() => pin(ids[4]), () => pin(ids[5])],
  );
  expect(fifth.map(({ status, body }) => body.code ?? status)).toEqual([200, 'too_many_pins']);
  expect((await pin(ids[0], { pinned: false })).body.is_pinned).toBe(false);
  expect((await pin(ids[5])).status).toBe(200);
});

test('a person writes only so many posts an hour; repeated and refused requests do not count', async () => {
  const writer = as(await aMember(world.organizationId, world.chapterId));
  const body = { ...text, idempotency_key: aKey() };
  for (let n = 0; n < 3; n += 1) expect((await writer.post(posts(), body)).status).toBe(201);
  expect((await writer.post(posts(), { ...body, title: 'Other' })).status).toBe(409);
  for (let n = 0; n < 11; n += 1) expect((await writer.post(posts(), text)).status).toBe(201);
  const refused = await writer.post(posts(), text);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
});
