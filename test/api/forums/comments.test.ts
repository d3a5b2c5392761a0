/** Comments on posts of forums. */
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { aKey, Forums, pathOf } from '../../support/forums.js';

const stage = apiWorld();
const { world, as } = stage;
const forums = new Forums(stage);

let forum: string;
let post: string;
beforeEach(async () => {
  forum = await forums.create();
  post = await forums.post(forum, stage.member);
});
const comments = (...more: string[]) => pathOf(forum, 'posts', post, 'comments', ...more);
const comment = async (body = 'I do', person = stage.officer): Promise<string> =>
  (await person.post(comments(), { body })).body.id;

test('members comment, the oldest first', async () => {
  const made = await stage.officer.post(comments(), { body: '**I** do' });
  expect(made).toMatchObject({
    status: 201,
    body: {
      author: { id: world.officer.userId },
      body: '**I** do',
      body_html: '<p><strong>I</strong> do</p>',
      version: 1,
    },
  });
  const { mentions: _, ...written } = made.body;
  await comment('No, I', stage.member);
  expect((await stage.member.get(comments())).body).toMatchObject({
    count: 2,
    results: [written, { body: 'No, I' }],
  });
  expect((await stage.member.get(comments(made.body.id))).body).toEqual(written);
  expect((await stage.member.get(pathOf(forum, 'posts', post))).body.comment_count).toBe(2);
  const other = await forums.post(forum, stage.member);
  await expectNowhere(made.body.id, (id) => stage.member.get(pathOf(forum, 'posts', other, 'comments', id)));
  const elsewhere = await forums.post(await forums.create(), stage.member);
  await expectNowhere(elsewhere, (id) => stage.member.get(pathOf(forum, 'posts', id, 'comments')));
});

test.each([
  [{ body: '' }, 'body'],
  [{ body: 'x'.repeat(10_001) }, 'body'],
  [{ post: 'x', body: 'x' }, 'post'],
])('%j is refused and names %s', async (body, field) => {
  const answer = await stage.member.post(comments(), body);
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.errors)).toEqual([field]);
});

test('requests with one key write one comment, also at once', async () => {
  const body = { body: 'Once', idempotency_key: aKey() };
  const answers = await during(
    'SELECT FROM forum_posts WHERE id = $1 FOR UPDATE',
    [post],
    [() => stage.member.post(comments(), body), () => stage.member.post(comments(), body)],
  );
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers[1]?.body).toEqual(answers[0]?.body);
  expect((await stage.member.get(comments())).body.count).toBe(1);
  expect((await stage.member.post(comments(), { ...body, body: 'Twice' })).body.code).toBe('idempotency_mismatch');
});

test('on a locked post only moderators comment; a comment that waits for the lock is refused', async () => {
  const lock = (body?: object) => as(world.regionalAdmin).post(pathOf(forum, 'posts', post, 'lock'), body);
  expect((await stage.officer.post(pathOf(forum, 'posts', post, 'lock'))).status).toBe(403);
  await stage.officer.get(pathOf(forum));
  const [locked, late] = await during(
    'SELECT FROM forum_posts WHERE id = $1 FOR UPDATE',
    [post],
    [() => lock(), () => stage.officer.post(comments(), { body: 'Late' })],
  );
  expect(locked).toMatchObject({ status: 200, body: { is_locked: true } });
  expect(late?.body.code).toBe('thread_locked');
  expect((await as(world.regionalAdmin).post(comments(), { body: 'Closed' })).status).toBe(201);
  expect((await lock({ locked: false })).body.is_locked).toBe(false);
  expect((await stage.officer.post(comments(), { body: 'Again' })).status).toBe(201);
});

test('authors change and delete comments, moderators with a reason; a placeholder stays', async () => {
  const id = await comment();
  expect((await stage.member.patch(comments(id), { body: 'Not mine' })).status).toBe(403);
  expect((await stage.officer.patch(comments(id), { body: 'I did', version: 1 })).body).toMatchObject({
    body_html: '<p>I did</p>',
    version: 2,
  });
  expect((await stage.officer.patch(comments(id), { body: 'x', version: 1 })).body.code).toBe('stale_version');
  const remove = (body?: object) => as(world.regionalAdmin).send('DELETE', comments(id), body);
  expect((await remove()).body.errors).toHaveProperty('reason');
  expect((await remove({ reason: 'Rude' })).status).toBe(204);
  expect((await stage.member.get(comments())).body.results).toMatchObject([
    { id, author: null, body: null, deletion: 'moderator' },
  ]);
  expect((await stage.member.get(pathOf(forum, 'posts', post))).body.comment_count).toBe(0);
  expect((await stage.officer.patch(comments(id), { body: 'Late' })).body.code).toBe('text_deleted');
  await stage.member.delete(pathOf(forum, 'posts', post));
  expect((await stage.officer.post(comments(), { body: 'Late' })).body.code).toBe('text_deleted');
});

test('of two edits at once, one is stale; two deletions at once count once', async () => {
  const id = await comment();
  await comment('No, I', stage.member);
  const both = <T>(call: () => Promise<T>) =>
    during('SELECT FROM forum_comments WHERE id = $1 FOR UPDATE', [id], [call, call]);
  const edits = await both(() => stage.officer.patch(comments(id), { body: 'I did', version: 1 }));
  expect(edits.map(({ status, body }) => body.code ?? status)).toEqual([200, 'stale_version']);
  const deletions = await both(() => stage.officer.delete(comments(id)));
  expect(deletions.map(({ status }) => status)).toEqual([204, 204]);
  expect((await stage.member.get(pathOf(forum, 'posts', post))).body.comment_count).toBe(1);
});
