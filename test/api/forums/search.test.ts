/** Search in forums: what is found, by whom. */
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import type { Person } from '../../support/world.js';

const stage = apiWorld();
const { world, other, as } = stage;
const forums = new Forums(stage);

let forum: string;
let post: string;
let comment: string;
beforeAll(async () => {
  forum = await forums.create({ name: 'Harbor' });
  post = await forums.post(forum, stage.member, {
    title: 'Kumquat harvest',
    body: 'Bring *baskets* and the Größte ladder.',
  });
  comment = (await stage.officer.post(pathOf(forum, 'posts', post, 'comments'), { body: 'Two kumquat baskets' })).body
    .id;
});
const search = (person: { token: string }, q: string, more = '') =>
  as(person).get(`/api/forums/search/?q=${encodeURIComponent(q)}${more}`);
const found = async (person: { token: string }, q: string, more = ''): Promise<string[]> => {
  const { status, body } = await search(person, q, more);
  expect(status).toBe(200);
  return body.map((text: { post: string; comment: string | null }) => text.comment ?? text.post);
};

test('posts and comments are found by their words, the newest first', async () => {
  const { body } = await search(world.member, 'KUMQUAT baskets');
  const author = (person: Person) => ({ id: person.userId, first_name: 'First', last_name: expect.any(String) });
  const shared = {
    forum: { id: forum, name: 'Harbor' },
    post,
    title: 'Kumquat harvest',
    created_at: expect.any(String),
  };
  expect(body).toEqual([
    { ...shared, comment, author: author(world.officer), excerpt: 'Two kumquat baskets' },
    { ...shared, comment: null, author: author(world.member), excerpt: 'Bring *baskets* and the Größte ladder.' },
  ]);
});

test.each([
  ['größte', 1],
  ['GRÖßTE', 1],
  ['"kumquat baskets"', 1],
  ['kumquat -two', 1],
  ['ladder or two', 2],
  ['kumquats', 0],
  ['-kumquat', 0],
  ['two or -kumquat', 0],
  ['the & | ! ( ) : * " <-> \\', 1],
  ["'", 0],
])('%s finds %i texts', async (q, count) => {
  expect(await found(world.member, q)).toHaveLength(count);
});

test('a text that the parser of Postgres reads slowly is saved quickly, and its words are found', async () => {
  // The fastest of three posts, and a plain text of the same length, because other work slows the machine.
  const fastest = async (body: string): Promise<number> => {
    let milliseconds = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round += 1) {
      const start = performance.now();
      await forums.post(forum, stage.member, { body });
      milliseconds = Math.min(milliseconds, performance.now() - start);
    }
    return milliseconds;
  };
  const plain = await fastest('pear '.repeat(1_960));
  for (const unit of ['a_', '<!--', './', '~/'])
    expect(await fastest(`${unit.repeat(4_900)} x_medlar/pear`)).toBeLessThan(10 * plain);
  expect(await found(world.member, 'x_medlar -tree')).toHaveLength(12);
});

test.each(['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`, '?q=x&forum=x', '?q=x&page=2'])(
  '%s is refused',
  async (query) => {
    expect((await stage.member.get(`/api/forums/search/${query}`)).status).toBe(400);
  },
);

test('only texts in forums that a person sees are found, also when others are newer', async () => {
  const closed = await forums.create({ visibility: 'invite_only' });
  await asOwner(
    `INSERT INTO forum_posts (organization_id, forum_id, author_id, title, body, body_html, request_hash)
     SELECT $1, $2, $3, 'Kumquat', 'Secret', '<p>Secret</p>', 'x' FROM generate_series(1, 30)`,
    [world.organizationId, closed, world.admin.userId],
  );
  expect(await found(world.member, 'kumquat')).toEqual([comment, post]);
  expect(await found(world.admin, 'kumquat')).toHaveLength(25);
  expect(await found(world.admin, 'kumquat', `&forum=${forum}`)).toEqual([comment, post]);
  expect(await found(world.otherOfficer, 'kumquat')).toEqual([]);
  await expectNowhere(closed, (id) =>
    id === 'not-an-id' ? stage.member.get(pathOf(id)) : search(world.member, 'kumquat', `&forum=${id}`),
  );
  await forums.add(closed, world.member);
  expect(await found(world.member, 'kumquat')).toHaveLength(25);
  await asOwner(`UPDATE forum_memberships SET status = 'removed' WHERE forum_id = $1`, [closed]);
  expect(await found(world.member, 'kumquat')).toEqual([comment, post]);
});

test('another organization, also one in which the person is, finds nothing', async () => {
  expect(await found(other.admin, 'kumquat')).toEqual([]);
  expect((await search({ token: 'x' }, 'kumquat')).status).toBe(401);
});

test('a deleted text is not found; the comments on it are', async () => {
  const id = await forums.post(forum, stage.member, { title: 'Quince', body: 'Jam' });
  const path = pathOf(forum, 'posts', id, 'comments');
  const made = await stage.officer.post(path, { body: 'quince jelly' });
  await stage.member.delete(pathOf(forum, 'posts', id));
  expect((await search(world.member, 'quince')).body).toMatchObject([{ comment: made.body.id, title: null }]);
  await stage.officer.delete(pathOf(forum, 'posts', id, 'comments', made.body.id));
  expect(await found(world.member, 'quince')).toEqual([]);
  expect(await found(world.member, 'jam')).toEqual([]);
});
