/** Moderation rules of an organization, and what they do with texts of its forums. */
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';

const stage = apiWorld();
const { world, other, as } = stage;
const forums = new Forums(stage);
const rules = (organization = world.organizationId, ...more: string[]) =>
  `/api/organizations/${[organization, 'moderation-rules', ...more].join('/')}/`;
const rule = { kind: 'keyword', pattern: 'spam', action: 'flag' };

let forum: string;
beforeEach(async () => {
  await asOwner('DELETE FROM moderation_rules');
  forum = await forums.create();
});
const addRule = async (fields: object = {}): Promise<string> => {
  const made = await stage.admin.post(rules(), { ...rule, ...fields });
  if (made.status !== 201) throw new Error(JSON.stringify(made.body));
  return made.body.id;
};
const addBlock = async (fields: object = {}): Promise<string> => {
  const block = { ...rule, action: 'block', ...fields };
  const { preview_hash } = (await stage.admin.post(rules(world.organizationId, 'preview'), block)).body;
  return addRule({ ...block, preview_hash });
};
const write = (body: string, more: object = {}) =>
  stage.member.post(pathOf(forum, 'posts'), { title: 'Keys', body, ...more });

test('an admin creates, changes and deletes rules, which is audited; others do not see them', async () => {
  const made = await stage.admin.post(rules(), { ...rule, message: 'No spam.' });
  const saved = { ...rule, message: 'No spam.', is_active: true, version: 1 };
  expect(made).toMatchObject({ status: 201, body: saved });
  const path = rules(world.organizationId, made.body.id);
  expect((await stage.admin.patch(path, { pattern: 'sp*m', version: 1 })).body).toMatchObject({
    pattern: 'sp*m',
    version: 2,
  });
  expect((await stage.admin.patch(path, { pattern: 'x', version: 1 })).body.code).toBe('stale_version');
  expect((await stage.admin.get(rules())).body).toMatchObject({ count: 1, results: [{ pattern: 'sp*m' }] });
  for (const client of [stage.officer, as(world.regionalAdmin)]) {
    expect((await client.get(rules())).status).toBe(403);
    expect((await client.post(rules(), rule)).status).toBe(403);
  }
  expect((await stage.nobody.get(rules())).status).toBe(401);
  await expectNowhere(other.organizationId, (id) => stage.admin.get(rules(id)));
  expect((await as(other.admin).delete(rules(other.organizationId, made.body.id))).status).toBe(404);
  expect((await stage.admin.delete(path)).status).toBe(204);
  const log = await asOwner<{ action: string }>('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    made.body.id,
  ]);
  expect(log.map(({ action }) => action)).toEqual(
    ['created', 'updated', 'deleted'].map((verb) => `moderation_rule.${verb}`),
  );
});

test.each([
  [{ pattern: '' }, 'pattern'],
  [{ pattern: '*' }, 'pattern'],
  [{ kind: 'link', pattern: 'no domain' }, 'pattern'],
  [{ kind: 'regex' }, 'kind'],
  [{ action: 'delete' }, 'action'],
  [{ action: 'block' }, 'preview_hash'],
  [{ is_active: 'yes' }, 'is_active'],
  [{ no_such_field: 1 }, 'no_such_field'],
])('%j is refused and names %s', async (fields, field) => {
  const { status, body } = await stage.admin.post(rules(), { ...rule, ...fields });
  expect(status).toBe(400);
  expect(Object.keys(body.errors)).toEqual([field]);
});

test('an organization has at most 500 rules, also at once', async () => {
  await asOwner(
    `INSERT INTO moderation_rules (organization_id, kind, pattern, action) SELECT $1, 'keyword', 'w' || n, 'flag' FROM generate_series(1, 499) n`,
    [world.organizationId],
  );
  const answers = await during(
    'INSERT INTO forum_settings (organization_id, version) VALUES ($1, 0) ON CONFLICT (organization_id) DO UPDATE SET version = 1',
    [world.organizationId],
    [() => stage.admin.post(rules(), rule), () => stage.admin.post(rules(), rule)],
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201, 409]));
  expect(answers.map(({ body }) => body.code)).toContain('too_many_rules');
});

test('a rule that blocks is saved with the hash of its preview, as long as its matches are the same', async () => {
  const written = await write('Cheap spam');
  const preview = (fields: object) => stage.admin.post(rules(world.organizationId, 'preview'), { ...rule, ...fields });
  const { body: first } = await preview({ action: 'block' });
  expect(first).toMatchObject({
    matches: 1,
    examples: [{ forum, post: written.body.id, comment: null, title: 'Keys', excerpt: 'Cheap spam' }],
  });
  const save = (fields: object) => stage.admin.post(rules(), { ...rule, action: 'block', ...fields });
  expect((await save({ pattern: 'sp*m', preview_hash: first.preview_hash })).body.code).toBe('preview_stale');
  await write('More spam');
  expect((await save({ preview_hash: first.preview_hash })).body.code).toBe('preview_stale');
  const { body: second } = await preview({});
  expect(second.matches).toBe(2);
  const saved = await save({ preview_hash: second.preview_hash });
  expect(saved.status).toBe(201);
  const path = rules(world.organizationId, saved.body.id);
  expect((await stage.admin.patch(path, { pattern: 'cheap' })).body.errors).toHaveProperty('preview_hash');
  expect((await stage.admin.patch(path, { is_active: false })).body.is_active).toBe(false);
  expect((await stage.admin.patch(path, { is_active: true })).body.errors).toHaveProperty('preview_hash');
  expect((await preview({ kind: 'link' })).body.errors).toHaveProperty('pattern');
  expect((await stage.officer.post(rules(world.organizationId, 'preview'), rule)).status).toBe(403);
});

test('a rule that blocks refuses a text on creation and on edit, for everybody, and nothing is written', async () => {
  await addBlock({ message: 'No advertising here.' });
  await addRule();
  const refused = await write('Cheap ѕраm');
  expect(refused).toMatchObject({ status: 422, body: { code: 'moderation_blocked', detail: 'No advertising here.' } });
  expect((await write('x', { title: 'SPAM' })).status).toBe(422);
  const post = await forums.post(forum, stage.member);
  expect((await stage.admin.patch(pathOf(forum, 'posts', post), { body: 'spam', reason: 'Test' })).status).toBe(422);
  expect((await stage.admin.post(pathOf(forum, 'posts', post, 'comments'), { body: 's**pa**m' })).status).toBe(422);
  expect((await stage.member.get(pathOf(forum, 'posts'))).body.count).toBe(1);
  await asOwner('UPDATE moderation_rules SET is_active = false');
  await stage.admin.post(rules(), { ...rule, pattern: 'other' });
  expect((await write('spam')).body.status).toBe('published');
});

test('a rule that flags makes a text wait: its author and moderators see it, others neither it nor its counts', async () => {
  await addRule();
  await addRule({ kind: 'link', pattern: 'evil.example' });
  const post = await forums.post(forum, stage.officer);
  const thread = pathOf(forum, 'posts', post);
  await stage.member.get(thread);
  await stage.member.post(`${thread}read/`);
  const before = (await stage.member.get(thread)).body;
  const pending = await stage.officer.post(`${thread}comments/`, { body: 'See https://a.evil.example/' });
  expect(pending).toMatchObject({ status: 201, body: { status: 'pending_review' } });
  const flagged = await write('spam zebra');
  const waiting = pathOf(forum, 'posts', flagged.body.id);

  expect((await stage.member.get(thread)).body).toEqual(before);
  expect((await stage.member.get(`${thread}comments/`)).body.count).toBe(0);
  expect((await stage.member.get(`${thread}comments/${pending.body.id}/`)).status).toBe(404);
  for (const client of [stage.officer, as(world.regionalAdmin)])
    expect((await client.get(`${thread}comments/`)).body.results).toMatchObject([{ status: 'pending_review' }]);

  const others = stage.officer;
  expect((await others.get(pathOf(forum, 'posts'))).body.results).toMatchObject([{ id: post }]);
  for (const path of [waiting, `${waiting}comments/`, `${waiting}comments/${pending.body.id}/`])
    expect((await others.get(path)).status).toBe(404);
  expect((await others.post(`${waiting}read/`)).status).toBe(404);
  expect((await others.post(`${waiting}comments/`, { body: 'x' })).status).toBe(404);
  expect((await others.patch(waiting, { body: 'x' })).status).toBe(404);
  expect((await others.get(pathOf(forum))).body.unread_count).toBe(0);
  expect((await others.get('/api/forums/search/?q=zebra')).body).toEqual([]);
  for (const client of [stage.member, as(world.regionalAdmin)])
    expect((await client.get(pathOf(forum, 'posts'))).body.count).toBe(2);
  expect((await stage.member.post(`${waiting}comments/`, { body: 'x' })).body.code).toBe('post_not_published');

  // A clean edit keeps it waiting.
  expect((await stage.member.patch(waiting, { body: 'Good' })).body.status).toBe('pending_review');
});
