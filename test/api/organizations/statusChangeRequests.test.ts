/** Tests requests of members for another status, decided by officers, or by the organization where officers may not. */
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { applyNextChange } from '../../../models/organizations/lifecycle/applyChanges.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const ofMembership = (id: string) => `/api/memberships/${id}/status-change-requests/`;
const inOrganization = (rest = '', id = stage.world.organizationId) =>
  `/api/organizations/${id}/status-change-requests/${rest && `${rest}/`}`;
const inChapter = (role = 'member', status = 'undergrad', chapter = stage.world.chapterId) =>
  aMember(stage.world.organizationId, chapter, role, status);
const ask = (person: Person, more: object = {}) =>
  stage.as(person).post(ofMembership(person.membershipId), { status: 'alumni', reason: 'Graduated.', ...more });
const file = async (person: Person, more: object = {}) => {
  const made = await ask(person, more);
  expect(made.status).toBe(201);
  return made.body;
};
const approve = { decision: 'approve' };
const review = (id: string, body: object = approve, by = stage.officer) =>
  by.post(inOrganization(`${id}/review`), body);
const statusOf = async ({ membershipId }: Person) =>
  (await stage.admin.get(`/api/memberships/${membershipId}/`)).body.status as string;

test('an officer decides a request within their authority for the requested day, and the history has the reason', async () => {
  const person = await inChapter();
  const request = await file(person);
  expect(request).toMatchObject({ status: 'pending_officer', to_status: 'alumni', membership: person.membershipId });
  const done = await review(request.id);
  expect(done).toMatchObject({ status: 200, body: { status: 'approved', reviewed_by: stage.world.officer.userId } });
  expect(await statusOf(person)).toBe('alumni');
  const periods = await asOwner(
    'SELECT status, reason, actor_user_id FROM membership_periods WHERE membership_id = $1 ORDER BY ordinal DESC LIMIT 1',
    [person.membershipId],
  );
  expect(periods).toEqual([{ status: 'alumni', reason: 'Graduated.', actor_user_id: stage.world.officer.userId }]);
  const notified = await asOwner(
    `SELECT recipient_id, notification_type, resolved_at IS NOT NULL AS resolved FROM notifications
      WHERE subject_id = $1 ORDER BY id`,
    [request.id],
  );
  expect(notified).toEqual([
    { recipient_id: stage.world.officer.userId, notification_type: 'status_change_requested', resolved: true },
    { recipient_id: person.userId, notification_type: 'status_change_decided', resolved: false },
  ]);
});

test('the history cuts a long reason between two characters', async () => {
  const person = await inChapter();
  const { id } = await file(person, { reason: `${'x'.repeat(499)}🎓 and more` });
  expect(await review(id)).toMatchObject({ status: 200, body: { status: 'approved' } });
  const { body } = await stage.officer.get(`/api/memberships/${person.membershipId}/history/`);
  expect(body.results[0]).toMatchObject({ status: 'alumni', reason: 'x'.repeat(499) });
});

test("a request beyond the officers' authority passes to the organization", async () => {
  const person = await inChapter();
  const request = await file(person, { status: 'lifetime_alumni' });
  expect((await review(request.id, approve, stage.admin)).status).toBe(403);
  const passed = await review(request.id);
  expect(passed.body).toMatchObject({ status: 'pending_organization', first_reviewed_by: stage.world.officer.userId });
  expect(await statusOf(person)).toBe('undergrad');
  expect((await review(request.id)).body.code).toBe('request_closed');
  expect((await review(request.id, approve, stage.admin)).body.status).toBe('approved');
  expect(await statusOf(person)).toBe('lifetime_alumni');
});

test("an officer's own request needs another officer and the organization, or only the organization without other officers", async () => {
  const other = await inChapter('officer');
  const request = await file(stage.world.officer, { status: 'associate' });
  expect((await review(request.id)).body.code).toBe('own_request');
  expect((await review(request.id, approve, stage.as(other))).body.status).toBe('pending_organization');
  await review(request.id, { decision: 'reject', notes: 'Not yet.' }, stage.admin);
  const alone = await file(stage.world.otherOfficer, { status: 'associate' });
  expect(alone).toMatchObject({ status: 'pending_organization', first_tier_skipped: true });
  await asOwner("UPDATE memberships SET role = 'member' WHERE id = $1", [other.membershipId]);
});

test('ten concurrent reviews have one effect, and a decided or withdrawn request stays closed', async () => {
  const person = await inChapter();
  const { id } = await file(person);
  const answers = await Promise.all(Array.from({ length: 10 }, () => review(id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'request_closed')).toHaveLength(9);
  const periods = await asOwner('SELECT status FROM membership_periods WHERE membership_id = $1', [
    person.membershipId,
  ]);
  expect(periods).toHaveLength(2);
  const another = await inChapter();
  const open = await file(another);
  expect((await ask(another)).body.code).toBe('request_open');
  expect((await stage.officer.post(inOrganization(`${open.id}/withdraw`))).status).toBe(403);
  expect((await stage.as(another).post(inOrganization(`${open.id}/withdraw`))).body.status).toBe('withdrawn');
  expect((await review(open.id)).body.code).toBe('request_closed');
});

test('an approval checks the present facts, and a refused one leaves the request pending', async () => {
  const person = await inChapter();
  const { id } = await file(person, { status: 'lifetime_alumni' });
  const moved = await stage.admin.patch(`/api/memberships/${person.membershipId}/`, { status: 'associate' });
  expect(moved.status).toBe(200);
  expect((await review(id)).body.status).toBe('pending_organization');
  await asOwner("UPDATE status_change_requests SET to_status = 'pnm' WHERE id = $1", [id]);
  expect((await review(id, approve, stage.admin)).body.code).toBe('transition_not_allowed');
  expect((await stage.admin.get(inOrganization(id))).body.status).toBe('pending_organization');
});

test('a request is filed by its member only and read by managers of the chapter', async () => {
  const person = await inChapter();
  const body = { status: 'alumni', reason: 'Not mine.' };
  for (const client of [stage.officer, stage.admin, stage.member])
    expect((await client.post(ofMembership(person.membershipId), body)).status).toBe(403);
  const { id } = await file(person);
  for (const client of [stage.as(person), stage.officer, stage.as(stage.world.regionalAdmin), stage.admin]) {
    expect((await client.get(inOrganization(id))).status).toBe(200);
    expect((await client.get(ofMembership(person.membershipId))).body.count).toBe(1);
  }
  for (const client of [stage.member, stage.as(stage.world.otherOfficer)]) {
    expect((await client.get(inOrganization(id))).status).toBe(403);
    expect((await client.get(ofMembership(person.membershipId))).status).toBe(403);
    expect((await review(id, approve, client)).status).toBe(403);
  }
  expect((await review(id, approve, stage.as(stage.world.regionalAdmin))).status).toBe(403);
  await expectNowhere(stage.other.member.membershipId, (it) => stage.member.post(ofMembership(it), body));
  await expectNowhere(stage.other.member.membershipId, (it) => stage.admin.get(ofMembership(it)));
  const foreign = (await stage.as(stage.other.member).post(ofMembership(stage.other.member.membershipId), body)).body;
  await expectNowhere(foreign.id, (it) => review(it, approve, stage.admin));
  await expectNowhere(foreign.id, (it) => stage.admin.get(inOrganization(it)));
  const bulk = await stage.officer.post(inOrganization('bulk-review'), { ids: [id, foreign.id], ...approve });
  expect(bulk.body).toMatchObject([
    { id, status: 'approved', error: null },
    { id: foreign.id, status: null, error: { code: 'not_found' } },
  ]);
  expect((await stage.member.post(inOrganization('bulk-review'), { ids: [id], ...approve })).status).toBe(403);
  const count = (size: number) => countStatements(() => stage.admin.get(`${inOrganization()}?page_size=${size}`));
  expect([await count(1), await count(100)]).toEqual([3, 3]);
});

test("a pending request counts among the officers' approvals", async () => {
  const person = await inChapter();
  const { body: before } = await stage.officer.get('/api/notifications/alert-summary/');
  await file(person);
  const { body: after } = await stage.officer.get('/api/notifications/alert-summary/');
  expect(after.approvals).toBe(before.approvals + 1);
  const { body } = await stage.officer.get(`/api/chapters/${stage.world.chapterId}/approvals/`);
  expect(body).toContainEqual(expect.objectContaining({ kind: 'status_change', tier: 'officer' }));
});

test('an erasure removes the reason and withdraws the pending request', async () => {
  const person = await inChapter();
  const { id } = await file(person);
  for (let times = 0; times < 2; times += 1)
    await inTenant(stage.world.organizationId, () => eraseInOrganization(person.userId));
  const remaining = await asOwner('SELECT reason, status FROM status_change_requests WHERE id = $1', [id]);
  expect(remaining).toEqual([{ reason: '(erased)', status: 'withdrawn' }]);
});

test.each([
  [{ status: 'king' }, 'status'],
  [{ status: 'undergrad' }, 'status'],
  [{ reason: '' }, 'reason'],
  [{ effective_on: '2199-01-01' }, 'effective_on'],
  [{ to_status: 'alumni' }, 'to_status'],
])('%j is refused by name', async (more, field) => {
  const { status, body } = await ask(stage.world.member, more);
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});

test('an inactive chapter takes no requests', async () => {
  const { chapterId } = stage.world;
  const person = await inChapter();
  const stand = (status: string) => asOwner('UPDATE chapters SET status = $2 WHERE id = $1', [chapterId, status]);
  await stand('suspended');
  const refused = await ask(person);
  await stand('active');
  expect(refused).toMatchObject({ status: 409, body: { code: 'chapter_not_active' } });
});

test('an approval of a request for a later day schedules the change', async () => {
  const { organizationId } = stage.world;
  const [{ day }] = (await asOwner<{ day: string }>('SELECT (current_date + 9)::text AS day')) as [{ day: string }];
  const person = await inChapter();
  const reason = 'Graduates. '.repeat(60).trim();
  const request = await file(person, { effective_on: day, reason });
  expect((await review(request.id)).body.status).toBe('approved');
  expect(await statusOf(person)).toBe('undergrad');
  const changes = await stage.admin.get(`/api/memberships/${person.membershipId}/scheduled-changes/`);
  expect(changes.body.results).toEqual([
    expect.objectContaining({ status: 'alumni', effective_on: day, state: 'scheduled', reason: reason.slice(0, 500) }),
  ]);
  await asOwner('UPDATE membership_scheduled_changes SET effective_on = current_date WHERE membership_id = $1', [
    person.membershipId,
  ]);
  while (await applyNextChange({ organizationId, day }));
  expect(await statusOf(person)).toBe('alumni');
});
