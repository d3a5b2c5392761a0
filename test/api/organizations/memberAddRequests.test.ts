/** Tests requests by officers to add a member, decided by the region and the organization. */
import { rows } from '../../../models/database/rows.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlatformAdmin, aUser, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const inChapter = (id = stage.world.chapterId) => `/api/chapters/${id}/member-add-requests/`;
const inOrganization = (rest = '', id = stage.world.organizationId) =>
  `/api/organizations/${id}/member-add-requests/${rest && `${rest}/`}`;
let counter = 0;
const requestBody = (more: object = {}) => ({
  email: `asked${(counter += 1)}@requests.example`,
  first_name: 'Asked',
  last_name: 'Person',
  justification: 'Crossed in spring.',
  ...more,
});
const file = async (more: object = {}, by: Person = stage.world.officer) => {
  const made = await stage.as(by).post(inChapter(by.chapterId), requestBody(more));
  expect(made.status).toBe(201);
  return made.body;
};
const regional = () => stage.as(stage.world.regionalAdmin);
const approve = { decision: 'approve' };
const reject = { decision: 'reject', notes: 'Not a student there.' };
const review = (id: string, body: object = approve, by = stage.admin) => by.post(inOrganization(`${id}/review`), body);
const notesOf = (id: string) =>
  asOwner<{ recipient_id: string; notification_type: string; resolved: boolean }>(
    `SELECT recipient_id, notification_type, resolved_at IS NOT NULL AS resolved FROM notifications
      WHERE subject_id = $1 ORDER BY id`,
    [id],
  );

test('a request passes the region and the organization and becomes a membership as requested', async () => {
  const { admin, regionalAdmin, officer } = stage.world;
  const request = await file({ graduation_year: 2044, graduation_season: 'FALL', pledge_class: 'Alpha' });
  expect(request).toMatchObject({
    status: 'pending_regional',
    requested_by: officer.userId,
    first_tier_skipped: false,
  });
  expect(await review(request.id)).toMatchObject({ status: 403 });
  const passed = await review(request.id, { ...approve, notes: 'Known here.' }, regional());
  expect(passed).toMatchObject({
    status: 200,
    body: { status: 'pending_organization', first_reviewed_by: regionalAdmin.userId, reviewed_by: null, version: 2 },
  });
  expect((await review(request.id, approve, regional())).body.code).toBe('request_closed');
  const done = await review(request.id);
  expect(done).toMatchObject({ status: 200, body: { status: 'approved', reviewed_by: admin.userId, version: 3 } });
  const membership = (await stage.admin.get(`/api/memberships/${done.body.membership}/`)).body;
  expect(membership).toMatchObject({
    email: request.email,
    status: 'undergrad',
    role: 'member',
    graduation_year: 2044,
    graduation_season: 'FALL',
    pledge_class: 'Alpha',
    invitation: { state: 'open' },
  });
  expect(await notesOf(request.id)).toEqual([
    { recipient_id: regionalAdmin.userId, notification_type: 'member_add_requested', resolved: true },
    { recipient_id: admin.userId, notification_type: 'member_add_requested', resolved: true },
    { recipient_id: officer.userId, notification_type: 'member_add_decided', resolved: false },
  ]);
  const log = await asOwner('SELECT action, before, after FROM audit_log WHERE subject_id = $1 ORDER BY id', [
    request.id,
  ]);
  expect(log).toEqual([
    { action: 'member_add_request.filed', before: null, after: { status: 'pending_regional' } },
    {
      action: 'member_add_request.passed_on',
      before: { status: 'pending_regional' },
      after: { status: 'pending_organization' },
    },
    {
      action: 'member_add_request.approved',
      before: { status: 'pending_organization' },
      after: { status: 'approved' },
    },
  ]);
});

test('the organization decides where the region has no other approver, and the request says so', async () => {
  const request = await file({}, stage.world.otherOfficer);
  expect(request).toMatchObject({ status: 'pending_organization', first_tier_skipped: true });
  const waiting = await file();
  await asOwner('UPDATE regional_admins SET is_active = false WHERE user_id = $1', [stage.world.regionalAdmin.userId]);
  try {
    const done = await review(waiting.id, { ...approve, status: 'associate' });
    expect(done).toMatchObject({ status: 200, body: { status: 'approved', first_tier_skipped: true } });
    const membership = (await stage.admin.get(`/api/memberships/${done.body.membership}/`)).body;
    expect(membership.status).toBe('associate');
  } finally {
    await asOwner('UPDATE regional_admins SET is_active = true WHERE user_id = $1', [stage.world.regionalAdmin.userId]);
  }
});

test('a request for the role alumni creates a membership with the status alumni', async () => {
  const { id } = await file({ role: 'alumni' }, stage.world.otherOfficer);
  const { body } = await review(id);
  const membership = (await stage.admin.get(`/api/memberships/${body.membership}/`)).body;
  expect([membership.role, membership.status]).toEqual(['alumni', 'alumni']);
});

test('a requester cannot decide their own request in any other role', async () => {
  const both = await aMember(stage.world.organizationId, stage.world.otherChapterId, 'officer');
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    stage.world.organizationId,
    both.userId,
  ]);
  const request = await file({}, both);
  const answer = await review(request.id, approve, stage.as(both));
  expect([answer.status, answer.body.code]).toEqual([403, 'own_request']);
  const own = () =>
    asOwner(
      `UPDATE member_add_requests SET status = 'rejected', review_notes = 'x', reviewed_at = now(),
    reviewed_by = requested_by WHERE id = $1`,
      [request.id],
    );
  await expect(own()).rejects.toThrow('member_add_requests_own');
});

test('a rejection needs a reason, and a decided or withdrawn request stays closed', async () => {
  const request = await file();
  expect(Object.keys((await review(request.id, { decision: 'reject' }, regional())).body.errors)).toEqual(['notes']);
  const rejected = await review(request.id, reject, regional());
  expect(rejected.body).toMatchObject({ status: 'rejected', review_notes: reject.notes, membership: null });
  for (const by of [regional(), stage.admin])
    expect((await review(request.id, approve, by)).body.code).toBe('request_closed');
  expect((await stage.officer.post(inOrganization(`${request.id}/withdraw`))).body.code).toBe('request_closed');
  const reopen = () => asOwner(`UPDATE member_add_requests SET status = 'withdrawn' WHERE id = $1`, [request.id]);
  await expect(reopen()).rejects.toThrow('closed');
  const other = await file();
  expect((await regional().post(inOrganization(`${other.id}/withdraw`))).status).toBe(403);
  const withdrawn = await stage.officer.post(inOrganization(`${other.id}/withdraw`));
  expect(withdrawn).toMatchObject({ status: 200, body: { status: 'withdrawn', reviewed_by: null } });
  expect(await notesOf(other.id)).toMatchObject([{ resolved: true }]);
});

test('ten concurrent reviews have one effect, even by a reviewer of both tiers', async () => {
  const request = await file({}, stage.world.otherOfficer);
  const answers = await Promise.all(Array.from({ length: 10 }, () => review(request.id)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status, body }) => status === 409 && body.code === 'request_closed')).toHaveLength(9);
  const made = await asOwner('SELECT id FROM users WHERE typed_email = $1', [request.email]);
  expect(made).toHaveLength(1);
  const platform = stage.as(await aPlatformAdmin(), { 'X-Organization-Id': stage.world.organizationId });
  const second = await file();
  const twice = await Promise.all(Array.from({ length: 10 }, () => review(second.id, approve, platform)));
  expect(twice.filter(({ status }) => status === 200)).toMatchObject([{ body: { status: 'pending_organization' } }]);
  const reviewed = await review(second.id, { ...approve, version: 2 }, platform);
  expect(reviewed.body).toMatchObject({ status: 'approved' });
});

test('an approval is refused when the membership would be, and the request stays pending', async () => {
  const request = await file({}, stage.world.otherOfficer);
  const { otherChapterId } = stage.world;
  const added = await stage.admin.post(`/api/chapters/${otherChapterId}/members/`, {
    ...requestBody(),
    justification: undefined,
    email: request.email,
  });
  expect(added.status).toBe(201);
  expect((await review(request.id)).body.code).toBe('membership_exists');
  expect((await stage.admin.get(inOrganization(request.id))).body).toEqual(request);
  const again = await stage
    .as(stage.world.otherOfficer)
    .post(inChapter(otherChapterId), requestBody({ email: request.email }));
  expect(again.body.code).toBe('membership_exists');
  // The region cannot approve a request that the organization could not approve.
  const first = await file();
  await stage.admin.post(`/api/chapters/${stage.world.chapterId}/members/`, {
    ...requestBody(),
    justification: undefined,
    email: first.email,
  });
  expect((await review(first.id, approve, regional())).body.code).toBe('membership_exists');
  expect((await stage.admin.get(inOrganization(first.id))).body).toEqual(first);
});

test('an approval of a second president is refused, and the request stays pending', async () => {
  const { organizationId, otherChapterId, otherOfficer } = stage.world;
  await aMember(organizationId, otherChapterId, 'president');
  const request = await file({ role: 'president' }, otherOfficer);
  const refused = await review(request.id);
  expect([refused.status, refused.body.code]).toEqual([409, 'office_taken']);
  expect((await stage.admin.get(inOrganization(request.id))).body).toEqual(request);
});

test('a second request for the same person is refused while the first is open', async () => {
  const request = await file();
  const again = () => stage.officer.post(inChapter(), requestBody({ email: ` ${request.email.toUpperCase()} ` }));
  expect((await again()).body.code).toBe('request_open');
  await review(request.id, reject, regional());
  expect((await again()).status).toBe(201);
});

test('requests for an unused address and for one of a foreign account are answered alike at filing and approval', async () => {
  const foreign = await aMember(stage.other.organizationId, stage.other.chapterId);
  const shown = async (email: string) => {
    const filed = await stage
      .as(stage.world.otherOfficer)
      .post(inChapter(stage.world.otherChapterId), requestBody({ email }));
    const done = await review(filed.body.id);
    const member = await stage.admin.get(`/api/memberships/${done.body.membership}/`);
    const text = JSON.stringify([filed.status, filed.body, done.status, done.body, member.body]);
    return text
      .replaceAll(email, 'EMAIL')
      .replaceAll(/[0-9a-f-]{36}/g, 'ID')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'WHEN');
  };
  expect(await shown(foreign.email)).toBe(await shown('unused@requests.example'));
});

test('a bulk review decides each request by itself', async () => {
  const [good, bad, closed] = [await file(), await file(), await file()];
  await stage.officer.post(inOrganization(`${closed.id}/withdraw`));
  const foreignOfficer = stage.as(stage.other.officer);
  const foreign = (await foreignOfficer.post(inChapter(stage.other.chapterId), requestBody())).body;
  const ids = [good.id, closed.id, foreign.id, bad.id, good.id];
  const passed = await regional().post(inOrganization('bulk-review'), { ids, ...approve });
  expect(passed.body).toEqual([
    { id: good.id, status: 'pending_organization', error: null },
    {
      id: closed.id,
      status: null,
      error: { code: 'request_closed', detail: expect.any(String), errors: expect.any(Object) },
    },
    {
      id: foreign.id,
      status: null,
      error: { code: 'not_found', detail: expect.any(String), errors: expect.any(Object) },
    },
    { id: bad.id, status: 'pending_organization', error: null },
  ]);
  await stage.admin.post(`/api/chapters/${stage.world.chapterId}/members/`, {
    email: bad.email,
    first_name: 'By',
    last_name: 'Hand',
  });
  const done = await stage.admin.post(inOrganization('bulk-review'), { ids: [bad.id, good.id], ...approve });
  expect(done.body).toMatchObject([
    { status: null, error: { code: 'membership_exists' } },
    { status: 'approved', error: null },
  ]);
  for (const client of [stage.officer, stage.member])
    expect((await client.post(inOrganization('bulk-review'), { ids, ...approve })).status).toBe(403);
  const many = Array.from({ length: 201 }, () => good.id);
  expect((await stage.admin.post(inOrganization('bulk-review'), { ids: many, ...approve })).status).toBe(400);
});

test("another region cannot decide, other chapters cannot read, and another organization's requests are a 404", async () => {
  const { organizationId, otherRegionId, regionalAdmin } = stage.world;
  const elsewhere = await aMember(organizationId, stage.world.otherChapterId, 'member', 'alumni');
  await asOwner(
    `INSERT INTO regional_admins (organization_id, region_id, user_id, role) VALUES ($1, $2, $3, 'coordinator')`,
    [organizationId, otherRegionId, elsewhere.userId],
  );
  const request = await file();
  for (const client of [stage.as(elsewhere), stage.as(stage.world.otherOfficer), stage.member]) {
    expect((await review(request.id, approve, client)).status).toBe(403);
    expect((await client.get(inOrganization(request.id))).status).toBe(403);
    expect((await client.get(inChapter())).status).toBe(403);
  }
  const bulk = await stage.as(elsewhere).post(inOrganization('bulk-review'), { ids: [request.id], ...approve });
  expect(bulk.body).toMatchObject([{ status: null, error: { code: 'forbidden' } }]);
  const visible = (await stage.as(elsewhere).get(`${inOrganization()}?page_size=100`)).body.results as {
    chapter: string;
  }[];
  expect(new Set(visible.map(({ chapter }) => chapter))).toEqual(new Set([stage.world.otherChapterId]));
  await asOwner('UPDATE regional_admins SET is_active = false WHERE user_id = $1', [elsewhere.userId]);
  const foreign = (await stage.as(stage.other.officer).post(inChapter(stage.other.chapterId), requestBody())).body;
  await expectNowhere(foreign.id, (id) => stage.admin.get(inOrganization(id)));
  await expectNowhere(foreign.id, (id) => review(id));
  await expectNowhere(foreign.id, (id) => stage.admin.post(inOrganization(`${id}/withdraw`)));
  await expectNowhere(stage.other.chapterId, (id) => stage.officer.post(inChapter(id), requestBody()));
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(inOrganization('', id)));
  expect((await stage.as(regionalAdmin).post(inChapter(), requestBody())).status).toBe(403);
});

test('lists are one statement at any length and can be filtered by status', async () => {
  const few = await countStatements(() => stage.admin.get(`${inOrganization()}?page_size=1`));
  expect([few, await countStatements(() => stage.admin.get(`${inOrganization()}?page_size=100`))]).toEqual([3, 3]);
  const { body } = await stage.officer.get(`${inChapter()}?status=rejected`);
  expect(body.count).toBeGreaterThan(0);
  expect(new Set((body.results as { status: string }[]).map(({ status }) => status))).toEqual(new Set(['rejected']));
});

describe('an organization where officers add by request', () => {
  const members = (id = stage.world.chapterId) => `/api/chapters/${id}/members/`;
  const settle = (officers_add_members: string) =>
    stage.admin.patch(`/api/organizations/${stage.world.organizationId}/`, { officers_add_members });
  beforeAll(async () => void (await settle('by_request')));
  afterAll(async () => void (await settle('directly')));

  test("an officer's new member becomes a request, and admins add at once", async () => {
    const body = requestBody();
    expect(await stage.officer.post(members(), body)).toMatchObject({
      status: 202,
      body: { status: 'pending_regional', email: body.email, justification: body.justification },
    });
    expect(await asOwner('SELECT FROM users WHERE typed_email = $1', [body.email])).toEqual([]);
    for (const client of [regional(), stage.admin])
      expect(await client.post(members(), requestBody())).toMatchObject({ status: 201, body: { role: 'member' } });
    expect((await stage.officer.post(members(stage.world.otherChapterId), requestBody())).status).toBe(403);
    expect((await stage.member.post(members(), requestBody())).status).toBe(403);
  });

  test.each([
    [{ justification: undefined }, 'justification'],
    [{ line_number: 3 }, 'line_number'],
    [{ status: 'alumni' }, 'status'],
  ])('%j is refused by name', async (more, field) => {
    const { status, body } = await stage.officer.post(members(), requestBody(more));
    expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
  });
});

test("an erasure removes the person's data from requests and withdraws their own", async () => {
  const { organizationId, otherChapterId } = stage.world;
  const leaver = await aMember(organizationId, otherChapterId, 'officer');
  const own = await file({}, leaver);
  const about = await file({ email: leaver.email.replace('@', '+2@') });
  await asOwner('INSERT INTO user_emails (user_id, email, is_verified) VALUES ($1, $2, true)', [
    leaver.userId,
    about.email,
  ]);
  for (let times = 0; times < 2; times += 1) await inTenant(organizationId, () => eraseInOrganization(leaver.userId));
  const remaining = await asOwner(
    'SELECT email, first_name, justification, status, requested_by FROM member_add_requests WHERE id = ANY ($1) ORDER BY id',
    [[own.id, about.id]],
  );
  expect(remaining).toEqual([
    {
      email: own.email,
      first_name: 'Asked',
      justification: '(erased)',
      status: 'withdrawn',
      requested_by: leaver.userId,
    },
    {
      email: null,
      first_name: '(erased)',
      justification: '(erased)',
      status: 'withdrawn',
      requested_by: stage.world.officer.userId,
    },
  ]);
  const stranger = await aUser();
  const [found] = await inTenant(organizationId, () =>
    rows<{ ids: string[] }>('SELECT array_agg(id) AS ids FROM app.organizations_of($1, $2) AS id', [
      stranger,
      [own.email],
    ]),
  );
  expect(found).toEqual({ ids: [organizationId] });
});

test.each([
  [{ email: 'x' }, 'email'],
  [{ justification: '' }, 'justification'],
  [{ graduation_year: 1899 }, 'graduation_year'],
  [{ graduation_season: 'FALL' }, 'graduation_season'],
  [{ role: 'king' }, 'role'],
  [{ status: 'approved' }, 'status'],
])('%j is refused by name', async (more, field) => {
  const { status, body } = await stage.officer.post(inChapter(), requestBody(more));
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});
