/** Tests bulletins: who writes them, who sees them, and that each edition notifies once. */
import { MockActivityEnvironment } from '@temporalio/testing';
import {
  tellBulletin,
  untilBulletinIsDue,
  withdrawBulletin,
} from '../../../activities/organizations/publishBulletin.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { stopBulletin } from '../../../models/organizations/bulletins/publishEdition.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { behavesAsAResource } from '../../support/resource.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';

const stage = apiWorld();
const written = (organization = stage.world.organizationId) => `/api/organizations/${organization}/bulletins/`;
const path = (id = '', verb = '') => `/api/bulletins/${id && `${id}/`}${verb && `${verb}/`}`;
const later = (hours = 1) => new Date(Date.now() + hours * 3_600_000).toISOString();
const bulletinBody = (fields: object = {}) => ({
  title: 'Rush begins on Monday',
  body_html: '<p>We meet <b>at noon</b>.</p>',
  target_type: 'organization',
  ...fields,
});
const forChapter = () => ({ target_type: 'chapter', target: stage.world.chapterId });

async function write(fields: object = {}, by: Person = stage.world.admin): Promise<{ id: string; version: number }> {
  const { status, body } = await stage.as(by).post(written(), bulletinBody(fields));
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const seenBy = async (person: { token: string }): Promise<string[]> =>
  (await stage.as(person).get(path())).body.results.map(({ id }: { id: string }) => id);

const inMock = <Output>(
  step: (given: { organizationId: string; bulletinId: string; edition: string }) => Promise<Output>,
  bulletinId: string,
  edition = 1,
): Promise<Output> =>
  new MockActivityEnvironment().run(
    step as never,
    { organizationId: stage.world.organizationId, bulletinId, edition: String(edition) } as never,
  );

const notificationsOf = (id: string) =>
  asOwner<{ recipient_id: string; title: string }>(
    'SELECT recipient_id, title FROM notifications WHERE subject_id = $1 AND unlisted_reason IS NULL',
    [id],
  );

behavesAsAResource({
  stage,
  address: '/api/organizations/:organization_id/bulletins',
  subject: 'bulletin',
  mayRead: ['admin', 'regionalAdmin', 'officer'],
  mayWrite: ['admin'],
  body: (_, n) => bulletinBody({ title: `Rush ${n}` }),
  edit: (n) => ({ title: `Rush, again ${n}` }),
  bad: [
    [{ title: '' }, 'title'],
    [{ title: 'a\nb' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ body_html: 'é'.repeat(51_201) }, 'body_html'],
    [{ body_html: '<script>alert(1)</script>' }, 'body_html'],
    [{ target_type: 'chapter' }, 'target'],
    [{ target: '01900000-0000-7000-8000-000000000000' }, 'target'],
    [{ target_type: 'region', target: '01900000-0000-7000-8000-000000000000' }, 'target'],
    [{ publish_at: '2199-01-01T00:00:00Z' }, 'publish_at'],
    [{ publish_at: '2026-01-02T00:00:00Z', expires_at: '2026-01-01T00:00:00Z' }, 'expires_at'],
    [{ edition: 3 }, 'edition'],
    [{ state: 'published' }, 'state'],
  ],
});

test('officers write for their chapter and regional admins for their region only', async () => {
  const { world, other } = stage;
  const [{ region } = { region: '' }] = await asOwner<{ region: string }>(
    'SELECT region_id AS region FROM regional_admins WHERE user_id = $1',
    [world.regionalAdmin.userId],
  );
  const forRegion = { target_type: 'region', target: region };
  const status = async (by: Person, fields: object) =>
    (await stage.as(by).post(written(), bulletinBody(fields))).status;
  expect(await status(world.officer, forChapter())).toBe(201);
  expect(await status(world.regionalAdmin, forRegion)).toBe(201);
  expect(await status(world.regionalAdmin, forChapter())).toBe(201);
  for (const [by, fields] of [
    [world.officer, {}],
    [world.officer, forRegion],
    [world.officer, { ...forChapter(), target: other.chapterId }],
    [world.otherOfficer, forChapter()],
    [world.member, forChapter()],
    [world.regionalAdmin, {}],
  ] as [Person, object][])
    expect(await status(by, fields)).toBe(403);
  const foreign = await stage.admin.post(written(), bulletinBody({ ...forChapter(), target: other.chapterId }));
  expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([400, ['target']]);
});

test('only people who may write a bulletin see its draft', async () => {
  const { id, version } = await write(forChapter(), stage.world.officer);
  expect((await stage.officer.get(path(id))).body).toMatchObject({ state: 'draft', target: stage.world.chapterId });
  for (const person of [stage.world.member, stage.world.otherOfficer]) {
    const client = stage.as(person);
    for (const verb of ['publish', 'unpublish', 'pin', 'unpin', 'dismiss'])
      expect((await client.post(path(id, verb))).status).toBe(404);
    expect((await client.get(path(id))).status).toBe(404);
    expect((await client.patch(path(id), { title: 'X' })).status).toBe(404);
    expect((await client.delete(path(id))).status).toBe(404);
  }
  const changed = await stage.officer.patch(path(id), { body_html: '<p onclick="x()">New</p>', version });
  expect(changed.body).toMatchObject({ body_html: '<p>New</p>', version: version + 1 });
  expect((await stage.officer.patch(path(id), { title: 'X', version })).body.code).toBe('stale_version');
  await stage.officer.post(path(id, 'publish'));
  expect((await stage.member.patch(path(id), { title: 'X' })).status).toBe(403);
  expect((await stage.as(stage.world.otherOfficer).get(path(id))).status).toBe(404);
  expect((await stage.admin.delete(path(id))).status).toBe(204);
  expect((await stage.admin.get(path(id))).status).toBe(404);
});

test('members see published bulletins for them, pinned first and without dismissed ones, and admins see all', async () => {
  const { world } = stage;
  const [old, pinned, scheduled, expired, chapter] = [
    await write({ publish_at: later(-3) }),
    await write({ publish_at: later(-4) }),
    await write({ publish_at: later() }),
    await write({ publish_at: later(-2), expires_at: later(-1) }),
    await write({ ...forChapter(), publish_at: later(-1) }),
  ].map(({ id }) => id) as [string, string, string, string, string];
  expect((await stage.admin.post(path(pinned, 'pin'))).body).toMatchObject({ is_pinned: true });
  const ours = [old, pinned, scheduled, expired, chapter];
  const shown = async (person: Person) => (await seenBy(person)).filter((id) => ours.includes(id));
  expect(await shown(world.member)).toEqual([pinned, chapter, old]);
  expect(await shown(world.otherOfficer)).toEqual([pinned, old]);
  expect((await stage.member.post(path(old, 'dismiss'))).status).toBe(204);
  expect((await stage.member.post(path(old, 'dismiss'))).status).toBe(204);
  expect(await shown(world.member)).toEqual([pinned, chapter]);
  expect((await stage.member.get(path(old))).status).toBe(200);
  expect(await shown(world.otherOfficer)).toEqual([pinned, old]);
  const { body } = await stage.admin.get(`${written()}?page_size=100`);
  expect(body.results.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ours));
  expect((await stage.member.delete(path(old, 'dismiss'))).status).toBe(204);
  await stage.admin.post(path(pinned, 'unpin'));
  expect(await shown(world.member)).toEqual([chapter, old, pinned]);
  const some = await stage.admin.get(`${written()}?state=expired&page_size=100`);
  expect(some.body.results).toEqual([expect.objectContaining({ id: expired, state: 'expired' })]);
  const { results } = (await stage.officer.get(`${written()}?page_size=100`)).body;
  expect(results.every((row: { target: string }) => row.target === world.chapterId)).toBe(true);
  // Reading a page of bulletins takes no more statements than before.
  const count = () => countStatements(() => stage.member.get(path()));
  const before = await count();
  for (let n = 0; n < 3; n += 1) await write({ publish_at: later(-1) });
  expect(await count()).toBe(before);
});

test('an expired bulletin can be published again after its expiry is moved', async () => {
  const { id } = await write({ publish_at: later(-2), expires_at: later(-1) });
  expect(await stage.admin.post(path(id, 'publish'))).toMatchObject({
    status: 400,
    body: { errors: { expires_at: [expect.any(String)] } },
  });
  await stage.admin.patch(path(id), { expires_at: later() });
  expect((await stage.admin.post(path(id, 'publish'))).body).toMatchObject({ state: 'published' });
});

test("a person without access or in another chapter does not see a chapter's bulletin", async () => {
  const { world } = stage;
  const { id } = await write({ ...forChapter(), publish_at: later(-1) });
  const leaving = await aMember(world.organizationId, world.chapterId);
  const stays = await aMember(world.organizationId, world.otherChapterId);
  expect(await seenBy(leaving)).toContain(id);
  expect(await seenBy(stays)).not.toContain(id);
  await asOwner("UPDATE memberships SET status = 'inactive' WHERE user_id = $1", [leaving.userId]);
  expect((await stage.as(leaving).get(path(id))).status).toBe(401);
  const theirs = (
    await stage.as(stage.other.admin).post(written(stage.other.organizationId), bulletinBody({ publish_at: later(-1) }))
  ).body.id;
  for (const client of [stage.admin, stage.member]) {
    await expectNowhere(theirs, (it) => client.get(path(it)));
    await expectNowhere(theirs, (it) => client.post(path(it, 'dismiss')));
    await expectNowhere(theirs, (it) => client.post(path(it, 'publish')));
    await expectNowhere(theirs, (it) => client.patch(path(it), { title: 'X' }));
    await expectNowhere(theirs, (it) => client.delete(path(it)));
  }
});

test('an inactive chapter publishes no bulletins', async () => {
  const { world } = stage;
  const { id } = await write(forChapter());
  const { id: waiting } = await write({ ...forChapter(), publish_at: later() });
  await asOwner("UPDATE chapters SET status = 'suspended' WHERE id = $1", [world.chapterId]);
  try {
    expect((await stage.admin.post(written(), bulletinBody(forChapter()))).body.code).toBe('chapter_not_active');
    expect((await stage.admin.post(path(id, 'publish'))).body.code).toBe('chapter_not_active');
    expect((await stage.admin.patch(path(id), { publish_at: later() })).body.code).toBe('chapter_not_active');
    await asOwner(
      `BEGIN; ALTER TABLE bulletins DISABLE TRIGGER bulletins_published_in_active_chapters;
       UPDATE bulletins SET publish_at = now() - interval '1 minute' WHERE id = '${waiting}';
       ALTER TABLE bulletins ENABLE TRIGGER bulletins_published_in_active_chapters; COMMIT`,
    );
    expect((await stage.member.get(path(waiting))).status).toBe(404);
    expect(await inMock(tellBulletin, waiting)).toBe('called_off');
    expect((await stage.admin.get(path(waiting))).body).toMatchObject({ state: 'draft' });
    expect(await notificationsOf(waiting)).toEqual([]);
    expect((await stage.admin.delete(path(id))).status).toBe(204);
  } finally {
    await asOwner("UPDATE chapters SET status = 'active' WHERE id = $1", [world.chapterId]);
  }
});

/** Moves the publication into the past, as if an hour had passed. */
const hourPasses = (id: string) =>
  asOwner("UPDATE bulletins SET publish_at = publish_at - interval '1 hour' WHERE id = $1", [id]);
const refusedTo = async (id: string) =>
  (
    await asOwner<{ recipient_id: string }>(
      "SELECT recipient_id FROM notifications WHERE subject_id = $1 AND notification_type = 'bulletin_refused'",
      [id],
    )
  ).map(({ recipient_id }) => recipient_id);

test('a scheduled bulletin is not published after its officer left office, and its author and the admins are notified', async () => {
  const { organizationId, chapterId, admin, member, officer } = stage.world;
  const former = await aMember(organizationId, chapterId, 'officer');
  const other = await aMember(organizationId, chapterId, 'officer');
  const waits = () => write({ ...forChapter(), publish_at: later() }, former);
  const [{ id }, { id: rescheduled }, { id: out }] = [await waits(), await waits(), await write(forChapter(), former)];
  await stage.as(former).post(path(out, 'publish'));
  expect(await inMock(tellBulletin, out)).toBe('told');
  // Another officer schedules this one again and so becomes its author.
  await stage.as(other).patch(path(rescheduled), { publish_at: later() });
  await asOwner("UPDATE memberships SET role = 'member' WHERE id = $1", [former.membershipId]);
  await Promise.all([id, rescheduled].map(hourPasses));

  // Members do not see it even before its process has checked it.
  expect(await seenBy(member)).not.toContain(id);
  expect([await inMock(tellBulletin, id), await inMock(tellBulletin, id)]).toEqual(['refused', 'called_off']);
  expect((await stage.officer.get(path(id))).body).toMatchObject({
    state: 'refused',
    refusal: 'forbidden',
    publish_at: null,
  });
  expect((await stage.admin.get(`${written()}?state=refused`)).body.results).toMatchObject([{ id }]);
  expect((await refusedTo(id)).toSorted()).toEqual([former.userId, admin.userId].toSorted());
  expect(await inMock(tellBulletin, rescheduled, 2)).toBe('told');
  const visible = await seenBy(member);
  expect([visible.includes(id), visible.includes(rescheduled), visible.includes(out)]).toEqual([false, true, true]);

  const again = await stage.as(officer).post(path(id, 'publish'));
  expect(again.body).toMatchObject({ state: 'published', refusal: null });
  expect(await inMock(tellBulletin, id, 2)).toBe('told');
  expect(await seenBy(member)).toContain(id);
});

test.each([
  ['whose account is disabled', 'chapter', 'UPDATE users SET disabled_at = now() WHERE id = $1'],
  ['who has lost access', 'chapter', "UPDATE memberships SET status = 'inactive' WHERE user_id = $1"],
  ['who no longer administers the region', 'region', 'UPDATE regional_admins SET is_active = false WHERE user_id = $1'],
])('a scheduled bulletin is refused for an author %s', async (_, target_type, loses) => {
  const { organizationId, chapterId, regionId } = stage.world;
  const person = await aMember(organizationId, chapterId, 'officer');
  await asOwner(
    `INSERT INTO regional_admins (organization_id, region_id, user_id, role)
     SELECT $1, $2, $3, 'coordinator' WHERE $4 = 'region'`,
    [organizationId, regionId, person.userId, target_type],
  );
  const target = target_type === 'region' ? regionId : chapterId;
  const { id } = await write({ target_type, target, publish_at: later() }, person);
  expect(await inMock(tellBulletin, id)).toBe('later');
  await asOwner(loses, [person.userId]);
  await hourPasses(id);
  expect(await inMock(tellBulletin, id)).toBe('refused');
  const drafted = await stage.admin.post(path(id, 'unpublish'));
  expect(drafted.body).toMatchObject({ state: 'draft', refusal: null });
});

test('an edition notifies once despite edits, an unpublished one no longer, and a new edition again', async () => {
  const { id } = await write({ ...forChapter(), publish_at: later() }, stage.world.officer);
  expect(await inMock(untilBulletinIsDue, id)).toBeGreaterThan(3_500);
  expect(await inMock(tellBulletin, id)).toBe('later');
  await stage.officer.post(path(id, 'publish'));
  // The scheduled edition is cancelled.
  expect([await inMock(untilBulletinIsDue, id), await inMock(tellBulletin, id)]).toEqual([0, 'called_off']);
  expect([await inMock(tellBulletin, id, 2), await inMock(tellBulletin, id, 2)]).toEqual(['told', 'called_off']);
  const people = (await notificationsOf(id)).map(({ recipient_id }) => recipient_id);
  expect(people).toContain(stage.world.member.userId);
  expect(people).not.toContain(stage.world.officer.userId);
  expect(people).not.toContain(stage.world.otherOfficer.userId);
  await stage.officer.patch(path(id), { title: 'Rush begins on Tuesday' });
  expect([await inMock(withdrawBulletin, id, 3), await inMock(tellBulletin, id, 3)]).toEqual([false, 'told']);
  expect(await notificationsOf(id)).toHaveLength(people.length);
  await stage.officer.post(path(id, 'unpublish'));
  expect([await inMock(withdrawBulletin, id, 4), await inMock(tellBulletin, id, 4)]).toEqual([false, 'called_off']);
  expect(await notificationsOf(id)).toEqual([]);
  await stage.officer.post(path(id, 'publish'));
  expect(await inMock(tellBulletin, id, 5)).toBe('told');
  expect((await notificationsOf(id)).map(({ title }) => title)).toEqual(people.map(() => 'Rush begins on Tuesday'));
  await stage.officer.delete(path(id));
  expect([await inMock(withdrawBulletin, id, 6), await inMock(tellBulletin, id, 6)]).toEqual([false, 'called_off']);
  expect(await notificationsOf(id)).toEqual([]);
});

test('ending the process of a scheduled bulletin makes it a draft, and that of another edition changes nothing', async () => {
  const { id } = await write({ publish_at: later() });
  const stop = (edition: number) => inTenant(stage.world.organizationId, () => stopBulletin(id, String(edition)));
  expect([await stop(2), await stop(1), await stop(1)]).toEqual([false, true, false]);
  expect((await stage.admin.get(path(id))).body).toMatchObject({ state: 'draft', publish_at: null });
});

test('of ten concurrent changes between published and unpublished, one edition is current', async () => {
  const { id } = await write(forChapter());
  const verbs = Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? 'publish' : 'unpublish'));
  const answers = await Promise.all(verbs.map((verb) => stage.admin.post(path(id, verb))));
  expect(answers.map(({ status }) => status)).toEqual(verbs.map(() => 200));
  await stage.admin.post(path(id, 'publish'));
  const [row] = await asOwner<{ edition: number }>('SELECT edition FROM bulletins WHERE id = $1', [id]);
  const edition = row?.edition ?? 0;
  const ends = await Promise.all(Array.from({ length: edition }, (_, n) => inMock(tellBulletin, id, n + 1)));
  expect(ends.filter((end) => end === 'told')).toHaveLength(1);
  const notified = await notificationsOf(id);
  expect(new Set(notified.map(({ recipient_id }) => recipient_id)).size).toBe(notified.length);
});
