/** Earlier words of posts and comments. */
import { eraseDeletedTexts } from '../../../models/forums/eraseDeletedTexts.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';

const stage = apiWorld();
const { world, other, as } = stage;
const forums = new Forums(stage);
const moderator = () => as(world.regionalAdmin);

let forum: string;
let post: string;
beforeEach(async () => {
  forum = await forums.create();
  post = pathOf(forum, 'posts', await forums.post(forum, stage.member, { body: 'First' }));
});
const revisionsOf = async (path: string, client = stage.member) => (await client.get(`${path}revisions/`)).body;
const rowsLeft = () => asOwner('SELECT 1 FROM forum_revisions WHERE organization_id = $1', [world.organizationId]);

test('each edit of the words keeps the words before it, with the person who replaced them', async () => {
  await stage.member.patch(post, { body: 'Second *one*' });
  await stage.member.patch(post, { body: 'Second *one*', attachments: [] });
  await moderator().patch(post, { title: 'House keys', reason: 'Clearer' });
  const { count, results } = await revisionsOf(post);
  expect(count).toBe(2);
  expect(results[0]).toEqual({
    version: 2,
    title: 'Keys',
    body: 'Second *one*',
    body_html: '<p>Second <em>one</em></p>',
    replaced_by: expect.objectContaining({ id: world.regionalAdmin.userId }),
    replaced_at: expect.any(String),
  });
  expect(results[1]).toMatchObject({ version: 1, body: 'First', replaced_by: { id: world.member.userId } });
  // The oldest ones are deleted.
  await asOwner('UPDATE forum_revisions SET version = version - 100 WHERE organization_id = $1', [
    world.organizationId,
  ]);
  await asOwner(
    `INSERT INTO forum_revisions (organization_id, post_id, version, title, body, body_html, replaced_by)
     SELECT organization_id, post_id, -n, title, body, body_html, replaced_by FROM forum_revisions, generate_series(1, 60) n
      WHERE organization_id = $1 AND body = 'First'`,
    [world.organizationId],
  );
  await stage.member.patch(post, { body: 'Third' });
  expect((await revisionsOf(post)).count).toBe(50);
  expect((await revisionsOf(post)).results[0]).toMatchObject({ title: 'House keys', body: 'Second *one*' });
});

test('only the author and moderators read them; a deleted text has none, and they are erased with it', async () => {
  const comments = `${post}comments/`;
  const comment = `${comments}${(await stage.member.post(comments, { body: 'Me' })).body.id}/`;
  for (const path of [post, comment]) await stage.member.patch(path, { body: 'Not me' });
  expect((await revisionsOf(comment, moderator())).results).toMatchObject([{ title: null, body: 'Me' }]);
  await stage.officer.get(post);
  for (const path of [post, comment]) {
    const status = async (client: typeof stage.officer) => (await client.get(`${path}revisions/`)).status;
    expect([await status(stage.nobody), await status(stage.officer)]).toEqual([401, 403]);
    expect([await status(as(world.otherOfficer)), await status(as(other.admin))]).toEqual([404, 404]);
  }
  await expectNowhere(post, (id) => stage.member.get(pathOf(forum, 'posts', id, 'revisions')));
  await expectNowhere(post, (id) => stage.member.get(`${comments}${id}/revisions/`));
  await stage.member.delete(comment);
  expect((await revisionsOf(comment, moderator())).results).toEqual([]);
  await moderator().send('DELETE', post, { reason: 'Off topic' });
  expect((await revisionsOf(post)).results).toEqual([]);
  const left = (await rowsLeft()).length;
  for (const table of ['forum_posts', 'forum_comments'])
    await asOwner(
      `UPDATE ${table} SET deleted_at = now() - interval '31 days' WHERE forum_id = $1 AND deleted_at IS NOT NULL`,
      [forum],
    );
  await eraseDeletedTexts(100);
  expect((await rowsLeft()).length).toBe(left - 2);
});
