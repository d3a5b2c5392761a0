/** Tests requests for a transfer by members or their officers; the other chapter decides, then the organization. */
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const { world } = stage;
const ofMembership = (id: string) => `/api/memberships/${id}/transfer-requests/`;
const inOrganization = (rest = '') =>
  `/api/organizations/${world.organizationId}/transfer-requests/${rest && `${rest}/`}`;
const inChapter = (role = 'member', chapter = world.chapterId) => aMember(world.organizationId, chapter, role);
const ask = (person: Person, more: object = {}, by: Person = person) =>
  stage.as(by).post(ofMembership(person.membershipId), { to_chapter: world.otherChapterId, reason: 'Moved.', ...more });
const file = async (person: Person, more: object = {}, by: Person = person) => {
  const made = await ask(person, more, by);
  expect(made).toMatchObject({ status: 201 });
  return made.body;
};
const approve = { decision: 'approve' };
const review = (id: string, by: Person, body: object = approve) =>
  stage.as(by).post(inOrganization(`${id}/review`), body);
const chaptersOf = async ({ userId }: Person) =>
  (
    await asOwner<{ chapter_id: string }>(
      `SELECT chapter_id FROM memberships WHERE user_id = $1 AND status <> 'inactive'`,
      [userId],
    )
  ).map(({ chapter_id }) => chapter_id);

test('a request passes the other chapter and the organization, and then the transfer is made', async () => {
  const person = await inChapter();
  const request = await file(person);
  expect(request).toMatchObject({ status: 'pending_destination', first_tier_skipped: false, new_membership: null });
  const waiting = async () =>
    (await stage.as(world.otherOfficer).get('/api/notifications/alert-summary/')).body.approvals;
  const before = await waiting();
  expect(
    (await stage.as(world.otherOfficer).get(`/api/chapters/${world.otherChapterId}/approvals/`)).body,
  ).toContainEqual(expect.objectContaining({ kind: 'transfer', tier: 'officer' }));
  expect((await review(request.id, world.officer)).status).toBe(403);
  expect((await review(request.id, world.admin)).status).toBe(403);
  expect((await review(request.id, world.otherOfficer)).body.status).toBe('pending_organization');
  expect(await waiting()).toBe(before - 1);
  expect((await review(request.id, world.otherOfficer)).body.code).toBe('request_closed');
  expect(await chaptersOf(person)).toEqual([world.chapterId]);
  const done = await review(request.id, world.admin);
  expect(done.body).toMatchObject({ status: 'approved', new_membership: expect.any(String), scheduled_change: null });
  expect(await chaptersOf(person)).toEqual([world.otherChapterId]);
  const notified = await asOwner(
    `SELECT recipient_id, notification_type, resolved_at IS NOT NULL AS resolved FROM notifications
      WHERE subject_id = $1 ORDER BY id`,
    [request.id],
  );
  expect(notified).toEqual([
    { recipient_id: world.otherOfficer.userId, notification_type: 'transfer_requested', resolved: true },
    { recipient_id: world.admin.userId, notification_type: 'transfer_requested', resolved: true },
    { recipient_id: person.userId, notification_type: 'transfer_decided', resolved: false },
  ]);
});

test('an officer requests a transfer for a later day, and no one decides their own', async () => {
  const person = await inChapter();
  const { id } = await file(person, { effective_on: '2028-01-01' }, world.officer);
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    world.organizationId,
    person.userId,
  ]);
  await review(id, world.otherOfficer);
  expect((await review(id, person)).body.code).toBe('own_request');
  const { body } = await review(id, world.admin);
  expect(body).toMatchObject({ status: 'approved', new_membership: null, scheduled_change: expect.any(String) });
  const { results } = (await stage.admin.get(`/api/memberships/${person.membershipId}/scheduled-changes/`)).body;
  expect(results).toMatchObject([{ id: body.scheduled_change, to_chapter: world.otherChapterId, state: 'scheduled' }]);
  expect((await ask(person)).body.code).toBe('transfer_in_progress');
});

test('the organization decides at once when the other chapter has no officer', async () => {
  const [empty] = await asOwner<{ id: string }>(
    `INSERT INTO chapters (organization_id, name) VALUES ($1, 'Empty') RETURNING id`,
    [world.organizationId],
  );
  const person = await inChapter();
  const request = await file(person, { to_chapter: empty?.id });
  expect(request).toMatchObject({ status: 'pending_organization', first_tier_skipped: true });
  expect((await review(request.id, world.admin, { decision: 'reject', notes: 'Stay.' })).body).toMatchObject({
    status: 'rejected',
    review_notes: 'Stay.',
  });
  expect(await chaptersOf(person)).toEqual([world.chapterId]);
});

test('an approval checks the present facts, and a refused one leaves the request pending', async () => {
  const person = await inChapter();
  const { id } = await file(person);
  await asOwner(`UPDATE chapters SET status = 'suspended' WHERE id = $1`, [world.otherChapterId]);
  expect((await review(id, world.otherOfficer)).body.code).toBe('chapter_not_active');
  expect((await ask(await inChapter())).body.code).toBe('chapter_not_active');
  await asOwner(`UPDATE chapters SET status = 'active' WHERE id = $1`, [world.otherChapterId]);
  await review(id, world.otherOfficer);
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [person.membershipId]);
  expect((await review(id, world.admin)).body.code).toBe('transition_not_allowed');
  expect((await stage.admin.get(inOrganization(id))).body.status).toBe('pending_organization');
});

test('ten concurrent approvals have one effect, and a direct transfer withdraws open requests', async () => {
  const person = await inChapter();
  const { id } = await file(person);
  await review(id, world.otherOfficer);
  const answers = await Promise.all(Array.from({ length: 10 }, () => review(id, world.admin)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'request_closed')).toHaveLength(9);
  expect(await chaptersOf(person)).toEqual([world.otherChapterId]);
  const another = await inChapter();
  const open = await file(another);
  expect((await ask(another)).body.code).toBe('request_open');
  const transfer = `/api/memberships/${another.membershipId}/transfer/`;
  const to = { to_chapter: world.otherChapterId };
  const { body: shown } = await stage.admin.post(transfer, { ...to, dry_run: true });
  expect(shown.requests).toEqual([{ id: open.id, kind: 'transfer' }]);
  await stage.admin.post(transfer, { ...to, preview_hash: shown.preview_hash });
  expect((await stage.as(another).get(inOrganization(open.id))).body.status).toBe('withdrawn');
});

test('the requester withdraws a request, and only both chapters and their admins read it', async () => {
  const person = await inChapter();
  for (const other of [world.otherOfficer, world.regionalAdmin, world.admin, world.member])
    expect((await ask(person, {}, other)).status).toBe(403);
  const { id } = await file(person, {}, world.officer);
  for (const who of [person, world.officer, world.otherOfficer, world.regionalAdmin, world.admin])
    expect((await stage.as(who).get(inOrganization(id))).status).toBe(200);
  for (const who of [world.officer, world.otherOfficer])
    expect((await stage.as(who).get(inOrganization())).body.results).toContainEqual(expect.objectContaining({ id }));
  expect((await stage.member.get(inOrganization(id))).status).toBe(403);
  expect((await stage.member.get(ofMembership(person.membershipId))).status).toBe(403);
  expect((await stage.as(person).post(inOrganization(`${id}/withdraw`))).status).toBe(403);
  expect((await stage.officer.post(inOrganization(`${id}/withdraw`))).body.status).toBe('withdrawn');
  expect((await review(id, world.otherOfficer)).body.code).toBe('request_closed');
  expect((await stage.member.post(inOrganization('bulk-review'), { ids: [id], ...approve })).status).toBe(403);
  const foreign = await stage.as(stage.other.member).post(ofMembership(stage.other.member.membershipId), {
    to_chapter: stage.other.otherChapterId,
    reason: 'Theirs.',
  });
  await expectNowhere(foreign.body.id, (it) => review(it, world.admin));
  await expectNowhere(foreign.body.id, (it) => stage.admin.get(inOrganization(it)));
  await expectNowhere(stage.other.member.membershipId, (it) => stage.admin.get(ofMembership(it)));
  const more = await file(await inChapter());
  const bulk = await stage
    .as(world.otherOfficer)
    .post(inOrganization('bulk-review'), { ids: [more.id, id], ...approve });
  expect(bulk.body).toMatchObject([
    { id: more.id, status: 'pending_organization', error: null },
    { id, error: { code: 'request_closed' } },
  ]);
  const count = (size: number) => countStatements(() => stage.officer.get(`${inOrganization()}?page_size=${size}`));
  expect([await count(1), await count(100)]).toEqual([3, 3]);
});

test('an erasure removes the reason by any author and withdraws the request', async () => {
  const person = await inChapter();
  const { id } = await file(person, { reason: 'They said so.' }, world.officer);
  for (let times = 0; times < 2; times += 1)
    await inTenant(world.organizationId, () => eraseInOrganization(person.userId));
  const remaining = await asOwner('SELECT reason, status FROM transfer_requests WHERE id = $1', [id]);
  expect(remaining).toEqual([{ reason: '(erased)', status: 'withdrawn' }]);
});

test.each([
  [{ reason: '' }, 'reason'],
  [{ to_chapter: 'nowhere' }, 'to_chapter'],
  [{ effective_on: 'soon' }, 'effective_on'],
  [{ status: 'alumni' }, 'status'],
])('%j is refused by name', async (more, field) => {
  const { status, body } = await ask(world.member, more);
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});
