/** Tests what becomes of open requests when their membership ends, and how a disaffiliated person comes back. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { finishRollover, moveMembers } from '../../../activities/organizations/rollovers.js';
import { applyNextChange } from '../../../models/organizations/lifecycle/applyChanges.js';
import { aStore } from '../../gateways/storage.support.js';
import { apiWorld } from '../../support/apiWorld.js';
import { uploadImport, workImport } from '../../support/importing.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';

aStore();
const stage = apiWorld();
const { world } = stage;
const environment = new MockActivityEnvironment();
const member = (role = 'member', status = 'undergrad') => aMember(world.organizationId, world.chapterId, role, status);
const membership = ({ membershipId }: Person, rest = '') => `/api/memberships/${membershipId}/${rest}`;
const requests = (kind: string, rest = '') => `/api/organizations/${world.organizationId}/${kind}-requests/${rest}`;
const approve = { decision: 'approve' };

beforeAll(() =>
  asOwner(
    `INSERT INTO org_dues_settings (organization_id, payment_plans_enabled) VALUES ($1, true)
     ON CONFLICT (organization_id) DO UPDATE SET payment_plans_enabled = true`,
    [world.organizationId],
  ),
);

interface MemberWithRequests {
  person: Person;
  ids: Record<'status_change' | 'transfer' | 'plan', string>;
}

/** Creates a member with an open request of each kind that a member may file. */
async function memberWithRequests(role = 'member'): Promise<MemberWithRequests> {
  const person = await member(role);
  const invoice = await anInvoice(world, { ...person, cents: 9_000, dueIn: 14 });
  const as = stage.as(person);
  const file = async (path: string, body: object): Promise<string> => {
    const answer = await as.post(path, body);
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const parts = { installment_count: 3, first_due_date: soon, interval: 'monthly' };
  return {
    person,
    ids: {
      status_change: await file(membership(person, 'status-change-requests/'), {
        status: 'associate',
        reason: 'Please.',
      }),
      transfer: await file(membership(person, 'transfer-requests/'), {
        to_chapter: world.otherChapterId,
        reason: 'Moving.',
      }),
      plan: await file('/api/billing/me/plan-requests/', { invoice, justification: 'Between two jobs.', ...parts }),
    },
  };
}

/** Returns the statuses of the requests: status change, transfer, plan. */
async function statuses({ ids }: MemberWithRequests): Promise<(string | undefined)[]> {
  const tables = {
    status_change_requests: ids.status_change,
    transfer_requests: ids.transfer,
    payment_plan_requests: ids.plan,
  };
  const found: (string | undefined)[] = [];
  for (const [table, id] of Object.entries(tables))
    found.push((await asOwner<{ status: string }>(`SELECT status FROM ${table} WHERE id = $1`, [id]))[0]?.status);
  return found;
}
const CLOSED = ['withdrawn', 'withdrawn', 'lapsed'];
const OPEN = ['pending_officer', 'pending_destination', 'pending'];

const patch = (person: Person, body: object) => stage.admin.patch(membership(person), body);
const unresolved = async (id: string) =>
  (await asOwner('SELECT FROM notifications WHERE subject_id = $1 AND resolved_at IS NULL', [id])).length;

test.each([
  ['disaffiliated', { status: 'disaffiliated', reason: 'Expelled.' }],
  ['inactive', { status: 'inactive' }],
])('an administrator who makes a member %s closes the open requests of every kind', async (_status, change) => {
  const filed = await memberWithRequests();
  expect(await statuses(filed)).toEqual(OPEN);
  expect((await patch(filed.person, change)).status).toBe(200);
  expect(await statuses(filed)).toEqual(CLOSED);
  expect(await unresolved(filed.ids.status_change)).toBe(0);
  const path = requests('status-change', `${filed.ids.status_change}/review/`);
  expect(await stage.admin.post(path, { ...approve, notes: 'Fine.' })).toMatchObject({
    status: 409,
    body: { code: 'request_closed' },
  });
});

test('a change that does not end the membership leaves the requests open', async () => {
  const filed = await memberWithRequests();
  expect((await patch(filed.person, { status: 'associate' })).status).toBe(200);
  expect(await statuses(filed)).toEqual(OPEN);
});

test('a scheduled change closes the requests on its day', async () => {
  const filed = await memberWithRequests();
  const ahead = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  expect((await patch(filed.person, { status: 'inactive', effective_on: ahead })).status).toBe(202);
  expect(await statuses(filed)).toEqual(OPEN);
  await asOwner('UPDATE membership_scheduled_changes SET effective_on = current_date WHERE membership_id = $1', [
    filed.person.membershipId,
  ]);
  const day = new Date().toISOString().slice(0, 10);
  expect(await applyNextChange({ organizationId: world.organizationId, day })).toBe(true);
  expect(await statuses(filed)).toEqual(CLOSED);
});

test('a transfer closes the requests at the old chapter, and its preview counts the plan requests', async () => {
  const filed = await memberWithRequests();
  const to = { to_chapter: world.otherChapterId };
  const path = membership(filed.person, 'transfer/');
  const { body } = await stage.admin.post(path, { ...to, dry_run: true });
  expect(body).toMatchObject({
    account: { open_plan_requests: 1 },
    requests: [{ kind: 'status_change' }, { kind: 'transfer' }],
  });
  expect((await stage.admin.post(path, { ...to, preview_hash: body.preview_hash })).status).toBe(201);
  expect(await statuses(filed)).toEqual(CLOSED);
});

test("an approved request to leave closes the member's other requests", async () => {
  const filed = await memberWithRequests();
  await asOwner("UPDATE status_change_requests SET to_status = 'inactive' WHERE id = $1", [filed.ids.status_change]);
  const path = requests('status-change', `${filed.ids.status_change}/review/`);
  expect((await stage.officer.post(path, approve)).body.status).toBe('approved');
  expect(await statuses(filed)).toEqual(['approved', 'withdrawn', 'lapsed']);
});

test('a rollover closes the requests of graduates, except for payment plans of what they owe', async () => {
  const filed = await memberWithRequests();
  await asOwner('UPDATE memberships SET graduation_year = 2027 WHERE id = $1', [filed.person.membershipId]);
  const path = `/api/organizations/${world.organizationId}/rollovers/`;
  const request = { academic_year: 2027, through_season: 'SUMMER' };
  const { preview_hash } = (await stage.admin.post(path, { ...request, dry_run: true })).body;
  const { id } = (await stage.admin.post(path, { ...request, preview_hash })).body;
  const input = { organizationId: world.organizationId, rolloverId: id as string };
  while (await environment.run(moveMembers, input));
  await environment.run(finishRollover, input);
  expect(await statuses(filed)).toEqual(['withdrawn', 'withdrawn', 'pending']);
});

test('an import that disaffiliates a member closes the open requests', async () => {
  const filed = await memberWithRequests();
  const [row] = await asOwner<{ email: string; name: string }>(
    `SELECT u.email, c.name FROM memberships m JOIN users u ON u.id = m.user_id JOIN chapters c ON c.id = m.chapter_id WHERE m.id = $1`,
    [filed.person.membershipId],
  );
  const content = `E-Mail,First name,Surname,Chapter,Status\r\n${row?.email},A,B,${row?.name},inactive`;
  const upload = await uploadImport(stage.api.url, world, { content, token: world.admin.token });
  const id = upload.body['id'] as string;
  await workImport(world.organizationId, id);
  await stage.admin.post(`/api/imports/${id}/preview/`);
  await workImport(world.organizationId, id);
  const { preview_hash } = (await stage.admin.get(`/api/imports/${id}/`)).body;
  await stage.admin.post(`/api/imports/${id}/process/`, { preview_hash, on_existing: 'overwrite' });
  await workImport(world.organizationId, id);
  expect((await stage.admin.get(`/api/imports/${id}/`)).body).toMatchObject({ outcome: 'completed', rows_updated: 1 });
  expect(await statuses(filed)).toEqual(CLOSED);
});

test('a hand-over request is closed when its holder or successor becomes inactive', async () => {
  const [holder, heir] = [await member(), await member()];
  const term = await stage.admin.post(`/api/chapters/${world.chapterId}/officer-terms/`, {
    membership: holder.membershipId,
    position: 'treasurer',
  });
  const path = `/api/officer-terms/${term.body.id}/hand-over/`;
  const request = await stage.as(holder).post(path, { successor: heir.membershipId });
  expect((await patch(heir, { status: 'inactive' })).status).toBe(200);
  const [closed] = await asOwner('SELECT status FROM hand_over_requests WHERE id = $1', [request.body.id]);
  expect(closed).toEqual({ status: 'withdrawn' });
});

test('an approval concurrent with a disaffiliation leaves the member disaffiliated', async () => {
  const filed = await memberWithRequests();
  const path = requests('status-change', `${filed.ids.status_change}/review/`);
  const answers = await Promise.all([
    stage.officer.post(path, approve),
    patch(filed.person, { status: 'disaffiliated', reason: 'Expelled.' }),
  ]);
  expect(answers[1]).toMatchObject({ status: 200 });
  expect([200, 409]).toContain(answers[0].status);
  expect((await stage.admin.get(membership(filed.person))).body.status).toBe('disaffiliated');
});

test("a disaffiliation cancels the member's scheduled changes", async () => {
  const person = await member();
  const ahead = new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10);
  await patch(person, { status: 'alumni', effective_on: ahead, reason: 'Graduates.' });
  await patch(person, { status: 'disaffiliated', reason: 'Expelled.' });
  const { body } = await stage.admin.get(membership(person, 'scheduled-changes/'));
  expect(body.results).toMatchObject([{ status: 'alumni', state: 'cancelled' }]);
});

/** Creates a disaffiliated member with a request to be undergrad again. */
async function disaffiliatedWithRequest(): Promise<{ person: Person; id: string }> {
  const person = await member();
  await patch(person, { status: 'disaffiliated', reason: 'Expelled.' });
  const [row] = await asOwner<{ id: string }>(
    `INSERT INTO status_change_requests
       (organization_id, membership_id, chapter_id, from_status, to_status, reason, status, requested_by)
     VALUES ($1, $2, $3, 'disaffiliated', 'undergrad', 'Take me back.', 'pending_organization', $4) RETURNING id`,
    [world.organizationId, person.membershipId, world.chapterId, person.userId],
  );
  return { person, id: row?.id as string };
}

test("bringing a disaffiliated person back needs the reviewer's own reason, which the history keeps", async () => {
  const { person, id } = await disaffiliatedWithRequest();
  const review = (body: object) => stage.admin.post(requests('status-change', `${id}/review/`), body);
  expect(await review(approve)).toMatchObject({
    status: 400,
    body: { code: 'validation_error', errors: { notes: [expect.stringContaining('disaffiliated')] } },
  });
  expect((await stage.admin.get(requests('status-change', `${id}/`))).body.status).toBe('pending_organization');
  const notes = 'The appeal was granted.';
  expect(await review({ ...approve, notes })).toMatchObject({ status: 200, body: { status: 'approved' } });
  const { body } = await stage.admin.get(membership(person, 'history/'));
  expect(body.results[0]).toMatchObject({ status: 'undergrad', reason: notes });
});

test('a bulk review refuses requests of disaffiliated people to come back, and decides the others', async () => {
  const { person, id } = await disaffiliatedWithRequest();
  const other = await member();
  const change = { status: 'alumni', reason: 'Graduated.' };
  const plain = (await stage.as(other).post(membership(other, 'status-change-requests/'), change)).body.id;
  await asOwner("UPDATE status_change_requests SET status = 'pending_organization' WHERE id = $1", [plain]);
  for (const notes of [{}, { notes: 'All of them.' }]) {
    const { body } = await stage.admin.post(requests('status-change', 'bulk-review/'), {
      ids: [id, plain],
      ...approve,
      ...notes,
    });
    expect(body[0]).toMatchObject({ id, status: null, error: { errors: { notes: [expect.any(String)] } } });
  }
  expect((await stage.admin.get(membership(person))).body.status).toBe('disaffiliated');
  expect((await stage.admin.get(membership(other))).body.status).toBe('alumni');
});

test('lists show the status at the filing and the present one', async () => {
  const person = await member();
  const change = { status: 'alumni', reason: 'Graduated.' };
  const filed = await stage.as(person).post(membership(person, 'status-change-requests/'), change);
  expect(filed.body).toMatchObject({ from_status: 'undergrad', current_status: 'undergrad' });
  await patch(person, { status: 'associate' });
  for (const list of [membership(person, 'status-change-requests/'), `${requests('status-change')}?page_size=100`]) {
    const { results } = (await stage.admin.get(list)).body as { results: { id: string }[] };
    expect(results.find(({ id }) => id === filed.body.id)).toMatchObject({
      from_status: 'undergrad',
      current_status: 'associate',
    });
  }
});

test("a request to add a disaffiliated person again needs the reviewer's own reason too", async () => {
  const person = await aMember(world.organizationId, world.otherChapterId, 'member', 'disaffiliated');
  const [user] = await asOwner<{ email: string }>('SELECT email FROM users WHERE id = $1', [person.userId]);
  const fields = { email: user?.email, first_name: 'A', last_name: 'B', justification: 'Wants to come back.' };
  const { id } = (await stage.officer.post(`/api/chapters/${world.chapterId}/member-add-requests/`, fields)).body;
  await asOwner("UPDATE member_add_requests SET status = 'pending_organization' WHERE id = $1", [id]);
  const review = (body: object) => stage.admin.post(requests('member-add', `${id}/review/`), body);
  expect(await review(approve)).toMatchObject({ status: 400, body: { errors: { notes: [expect.any(String)] } } });
  const bulk = await stage.admin.post(requests('member-add', 'bulk-review/'), { ids: [id], ...approve, notes: 'All.' });
  expect(bulk.body).toMatchObject([{ status: null, error: { errors: { notes: [expect.any(String)] } } }]);
  expect((await review({ ...approve, notes: 'Appeal granted.' })).body.status).toBe('approved');
});
