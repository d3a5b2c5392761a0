/** Forums: who creates, sees and changes them, and the first read, which makes a member. */
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { Forums, pathOf } from '../../support/forums.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlatformAdmin } from '../../support/world.js';

const stage = apiWorld();
const { world, other, as } = stage;
const forums = new Forums(stage);
const namesSeenBy = async (person: { token: string }, query = ''): Promise<string[]> =>
  (await as(person).get(`/api/forums/?page_size=100${query}`)).body.results.map(({ name }: { name: string }) => name);
beforeEach(() => asOwner('DELETE FROM forums f WHERE NOT EXISTS (SELECT FROM forum_posts p WHERE p.forum_id = f.id)'));

describe('creating', () => {
  const create = (person: { token: string }, place: Record<string, unknown>) =>
    as(person).post('/api/forums/', { name: 'New', ...place });

  test('an officer creates a forum in the own chapter and is its admin', async () => {
    const { status, body } = await create(world.officer, { chapter: world.chapterId, description: 'For us' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'New',
      description: 'For us',
      chapter: world.chapterId,
      region: null,
      visibility: 'open',
      is_archived: false,
      member_count: 1,
      unread_count: 0,
      my_role: 'admin',
      access: 'member',
      version: 1,
    });
  });

  test('officers, regional admins and admins create forums where they act', async () => {
    expect((await create(world.officer, { chapter: world.otherChapterId })).status).toBe(403);
    expect((await create(world.officer, {})).status).toBe(403);
    expect((await create(world.member, { chapter: world.chapterId })).status).toBe(403);
    expect((await create(world.regionalAdmin, { region: world.regionId })).body).toMatchObject({
      my_role: 'admin',
      member_count: 1,
    });
    expect((await create(world.regionalAdmin, { chapter: world.chapterId })).status).toBe(201);
    expect((await create(world.regionalAdmin, { region: world.otherRegionId })).status).toBe(403);
    expect((await create(world.admin, {})).status).toBe(201);
    expect((await stage.nobody.post('/api/forums/', { name: 'New' })).status).toBe(401);
    const platform = as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
    expect(await platform.post('/api/forums/', { name: 'New' })).toMatchObject({
      status: 201,
      body: { my_role: 'admin', member_count: 0 },
    });
  });

  test('only admins create forums if the organization says so', async () => {
    await asOwner(`INSERT INTO forum_settings (organization_id, forum_creators) VALUES ($1, 'admins')`, [
      world.organizationId,
    ]);
    try {
      expect((await create(world.officer, { chapter: world.chapterId })).status).toBe(403);
      expect((await create(world.admin, { chapter: world.chapterId })).status).toBe(201);
    } finally {
      await asOwner('DELETE FROM forum_settings WHERE organization_id = $1', [world.organizationId]);
    }
  });

  test.each([
    [{ name: '' }, 'name'],
    [{ visibility: 'secret' }, 'visibility'],
    [{ member_count: 5 }, 'member_count'],
    [{ chapter: '0190b7a0-0000-7000-8000-000000000000' }, 'chapter'],
    [{ region: '0190b7a0-0000-7000-8000-000000000000' }, 'region'],
  ])('%j is refused and names %s', async (fields, field) => {
    const { status, body } = await create(world.admin, fields);
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual([field]);
  });

  test('a forum has a chapter or a region, not both, and none of another organization', async () => {
    expect((await create(world.admin, { chapter: world.chapterId, region: world.regionId })).status).toBe(400);
    expect((await create(world.admin, { chapter: other.chapterId })).body).toMatchObject({
      errors: { chapter: [expect.any(String)] },
    });
  });
});

describe('reading', () => {
  test('the first read of an open forum makes a person in its scope a member', async () => {
    const id = await forums.create();
    expect(await stage.member.get(pathOf(id))).toMatchObject({
      status: 200,
      body: { my_role: 'member', access: 'member', member_count: 2, version: 1 },
    });
    for (const path of [pathOf(id, 'posts'), pathOf(id)]) {
      const person = await aMember(world.organizationId, world.chapterId);
      expect((await as(person).get(path)).status).toBe(200);
      expect(await forums.row(id, person)).toMatchObject({ status: 'active', role: 'member' });
    }
  });

  test('two first reads at once make one member', async () => {
    const id = await forums.create();
    const person = await aMember(world.organizationId, world.chapterId);
    const reads = await during(
      'SELECT FROM users WHERE id = $1 FOR UPDATE',
      [person.userId],
      [() => as(person).get(pathOf(id)), () => as(person).get(pathOf(id, 'posts'))],
    );
    expect(reads.map(({ status }) => status)).toEqual([200, 200]);
    expect((await stage.admin.get(pathOf(id))).body.member_count).toBe(2);
  });

  test('a first read during a loss of scope makes nobody a member', async () => {
    const id = await forums.create();
    const person = await aMember(world.organizationId, world.chapterId);
    const [read] = await during(
      `WITH kept AS (SELECT set_config('app.organization_id', $2, true))
       UPDATE memberships SET status = 'inactive' FROM kept WHERE id = $1`,
      [person.membershipId, world.organizationId],
      [() => as(person).get(pathOf(id))],
    );
    expect(read?.status).toBe(404);
    expect(await forums.row(id, person)).toBeNull();
  });

  test('an impersonated session reads an open forum without joining', async () => {
    const id = await forums.create();
    const person = await aMember(world.organizationId, world.chapterId);
    const started = await stage.admin.post('/api/auth/impersonate/', {
      membership: person.membershipId,
      reason: 'Test',
    });
    const session = as({ token: started.body.access_token });
    for (const path of [pathOf(id), pathOf(id, 'posts')]) expect((await session.get(path)).status).toBe(200);
    expect(await forums.row(id, person)).toBeNull();
  });

  test('what one cannot see is as unknown as what does not exist', async () => {
    const foreign = await as(other.admin).post('/api/forums/', { name: 'Foreign' });
    await expectNowhere(foreign.body.id, (id) => stage.admin.get(pathOf(id)));
    const elsewhere = await forums.create({ chapter: world.otherChapterId });
    const closed = await forums.create({ visibility: 'invite_only' });
    for (const id of [elsewhere, closed]) {
      expect((await stage.member.get(pathOf(id))).body.code).toBe('not_found');
      expect((await stage.member.patch(pathOf(id), { name: 'x' })).status).toBe(404);
      expect((await stage.member.get(pathOf(id, 'posts'))).status).toBe(404);
      expect((await stage.member.post(pathOf(id, 'join'))).status).toBe(404);
    }
  });

  test('offices see without membership: regional admins as moderators, admins as admins', async () => {
    const id = await forums.create({ visibility: 'invite_only' });
    const roleOf = async (person: { token: string }) => (await as(person).get(pathOf(id))).body.my_role;
    expect(await roleOf(world.regionalAdmin)).toBe('moderator');
    await asOwner(`UPDATE forum_memberships SET status = 'left' WHERE forum_id = $1`, [id]);
    expect(await roleOf(world.admin)).toBe('admin');
    expect(
      (await as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId }).get(pathOf(id))).body.my_role,
    ).toBe('admin');
    const elsewhere = await forums.create({ chapter: world.otherChapterId, visibility: 'invite_only' });
    expect((await as(world.regionalAdmin).get(pathOf(elsewhere))).status).toBe(404);
  });

  test('the list has what a person sees; discover adds what they may request or were invited to', async () => {
    await forums.create({ name: 'Open' });
    await forums.create({ name: 'Elsewhere', chapter: world.otherChapterId });
    await forums.create({ name: 'Hidden', visibility: 'invite_only' });
    await forums.create({ name: 'Requestable', visibility: 'approval_required' });
    const invited = await forums.create({ name: 'Invited', visibility: 'invite_only' });
    await stage.admin.post(pathOf(invited, 'invitations'), { user: world.member.userId });
    expect(await namesSeenBy(world.member)).toEqual(['Open']);
    expect(await namesSeenBy(world.member, '&discover=true')).toEqual(['Invited', 'Open', 'Requestable']);
    const { results } = (await stage.member.get('/api/forums/?discover=true')).body;
    expect(results[0]).toEqual({ id: invited, name: 'Invited', description: null, access: 'invited' });
    expect(results[1]).toMatchObject({ access: 'open', my_role: 'reader' });
    expect(results[2]).toMatchObject({ access: 'requestable' });
    expect(await namesSeenBy(world.admin)).toHaveLength(5);
  });

  test('the lists take one message to Postgres', async () => {
    const id = await forums.create();
    const post = await forums.post(id, stage.member);
    for (const path of ['/api/forums/', pathOf(id, 'posts'), pathOf(id, 'posts', post, 'comments')]) {
      await stage.member.post(pathOf(id, 'posts', post, 'comments'), { body: 'One' });
      await stage.member.get(path);
      expect(await countStatements(() => stage.member.get(path))).toBe(1);
    }
  });
});

describe('changing', () => {
  test('a forum admin changes a forum, with its version', async () => {
    const id = await forums.create();
    expect(await stage.admin.patch(pathOf(id), { name: 'Meals', version: 1 })).toMatchObject({
      status: 200,
      body: { name: 'Meals', version: 2 },
    });
    expect((await stage.admin.patch(pathOf(id), { name: 'Late', version: 1 })).body.code).toBe('stale_version');
    expect((await stage.member.patch(pathOf(id), { name: 'Mine' })).status).toBe(403);
    expect((await stage.admin.patch(pathOf(id), { region: world.regionId, dry_run: true })).body.errors).toHaveProperty(
      'region',
    );
  });

  test('another region ends exactly the previewed memberships', async () => {
    const id = await forums.create({ region: null });
    for (const person of [world.member, world.officer, world.otherOfficer]) await as(person).get(pathOf(id));
    const guest = await aMember(world.organizationId, world.otherChapterId);
    await forums.add(id, guest, 'member', { by_invitation: true });
    const asker = await aMember(world.organizationId, world.otherChapterId);
    await forums.add(id, asker, 'member', { status: 'requested' });
    const change = { region: world.regionId };
    const preview = await stage.admin.patch(pathOf(id), { ...change, dry_run: true });
    expect(preview).toMatchObject({
      status: 200,
      body: { ends_count: 1, ends: [{ user: world.otherOfficer.userId }] },
    });
    expect((await stage.admin.patch(pathOf(id), change)).body.errors).toHaveProperty('preview_hash');
    const { preview_hash } = preview.body;
    await as(await aMember(world.organizationId, world.chapterId)).get(pathOf(id));
    expect((await stage.admin.patch(pathOf(id), { ...change, preview_hash })).body.code).toBe('preview_stale');
    const again = (await stage.admin.patch(pathOf(id), { ...change, dry_run: true })).body.preview_hash;
    expect((await stage.admin.patch(pathOf(id), { visibility: 'invite_only', preview_hash: again })).body.code).toBe(
      'preview_stale',
    );
    expect(await stage.admin.patch(pathOf(id), { ...change, preview_hash: again })).toMatchObject({
      status: 200,
      body: { region: world.regionId, member_count: 5 },
    });
    for (const person of [world.otherOfficer, asker])
      expect(await forums.row(id, person)).toMatchObject({ status: 'ended' });
    expect((await as(world.otherOfficer).get(pathOf(id))).status).toBe(404);
    expect((await as(guest).get(pathOf(id))).body.my_role).toBe('member');
  });

  test('members of an open forum that becomes invite-only stay; others no longer see it', async () => {
    const id = await forums.create();
    await stage.member.get(pathOf(id));
    const change = { visibility: 'invite_only' };
    const { body } = await stage.admin.patch(pathOf(id), { ...change, dry_run: true });
    expect(body).toMatchObject({ ends: [], ends_count: 0 });
    expect((await stage.admin.patch(pathOf(id), { ...change, preview_hash: body.preview_hash })).status).toBe(200);
    expect((await stage.member.get(pathOf(id))).body.my_role).toBe('member');
    expect((await stage.officer.get(pathOf(id))).status).toBe(404);
    expect((await stage.admin.patch(pathOf(id), { visibility: 'open' })).status).toBe(200);
  });

  test('an archived forum can be read, and nothing else', async () => {
    const id = await forums.create();
    const post = await forums.post(id, stage.member);
    await stage.admin.patch(pathOf(id), { is_archived: true });
    const writes: [string, unknown?][] = [
      [pathOf(id, 'posts'), { title: 'x', body: 'x' }],
      [pathOf(id, 'posts', post, 'comments'), { body: 'x' }],
      [pathOf(id, 'posts', post, 'pin')],
      [pathOf(id, 'invitations'), { user: world.officer.userId }],
    ];
    for (const [path, body] of writes) expect((await stage.admin.post(path, body)).body.code).toBe('forum_archived');
    expect((await stage.officer.post(pathOf(id, 'join'))).body.code).toBe('forum_archived');
    expect((await stage.officer.get(pathOf(id))).body).toMatchObject({ my_role: 'reader', is_archived: true });
    expect(await forums.row(id, world.officer)).toBeNull();
    await stage.admin.patch(pathOf(id), { is_archived: false });
    expect((await stage.member.post(pathOf(id, 'posts'), { title: 'x', body: 'x' })).status).toBe(201);
  });

  test('only a forum without posts can be deleted', async () => {
    const [empty, full] = [await forums.create(), await forums.create()];
    await forums.post(full, stage.member);
    expect((await stage.member.delete(pathOf(full))).status).toBe(403);
    expect((await stage.admin.delete(pathOf(full))).body.code).toBe('forum_not_empty');
    expect((await stage.admin.delete(pathOf(empty))).status).toBe(204);
    expect((await stage.admin.get(pathOf(empty))).status).toBe(404);
  });
});
