/** Tests the counts of pending approvals, per approver. */
import { readFileSync } from 'node:fs';
import { APPROVAL_KINDS } from '../../../models/organizations/readApprovals.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, aPlatformAdmin, aWorld, type Person, type World } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const inOrganization = (id = stage.world.organizationId) => `/api/organizations/${id}/approvals/`;
const inChapter = (id = stage.world.chapterId) => `/api/chapters/${id}/approvals/`;
const toDecide = async (person: Person) =>
  (await stage.as(person).get('/api/notifications/alert-summary/')).body.approvals as number;

let counter = 0;
async function ask(officer: Person): Promise<string> {
  const { body } = await stage.as(officer).post(`/api/chapters/${officer.chapterId}/member-add-requests/`, {
    email: `waiting${(counter += 1)}@approvals.example`,
    first_name: 'Waiting',
    last_name: 'Person',
    justification: 'Crossed.',
  });
  return body.id;
}

test('pending approvals are counted by kind and approver until the decision', async () => {
  const { admin, regionalAdmin, officer, otherOfficer, member, organizationId, chapterId } = stage.world;
  const request = await ask(officer);
  await ask(officer);
  await ask(otherOfficer);
  await asOwner(
    `INSERT INTO account_requests (organization_id, chapter_id, email, first_name, last_name, justification, status, verified_at)
     VALUES ($1, $2, 'account@approvals.example', 'A', 'B', 'C', 'pending', '2030-01-01')`,
    [organizationId, chapterId],
  );
  const account = { kind: 'account', tier: 'organization', count: 1, oldest_at: '2030-01-01T00:00:00.000Z' };
  const waits = (tier: string, count: number) => ({ kind: 'member_add', tier, count, oldest_at: expect.any(String) });
  expect((await stage.admin.get(inOrganization())).body).toEqual([
    account,
    waits('organization', 1),
    waits('regional', 2),
  ]);
  expect((await stage.as(regionalAdmin).get(inOrganization())).body).toEqual([waits('regional', 2)]);
  expect((await stage.as(officer).get(inOrganization())).body).toEqual([waits('regional', 2)]);
  expect((await stage.admin.get(inChapter())).body).toEqual([account, waits('regional', 2)]);
  expect((await stage.officer.get(inChapter())).body).toEqual([waits('regional', 2)]);
  const each = await Promise.all([admin, regionalAdmin, officer, otherOfficer, member].map(toDecide));
  expect(each).toEqual([2, 2, 0, 0, 0]);
  const path = `/api/organizations/${organizationId}/member-add-requests/${request}/review/`;
  await stage.as(regionalAdmin).post(path, { decision: 'approve' });
  expect((await stage.admin.get(inChapter())).body).toEqual([account, waits('organization', 1), waits('regional', 1)]);
  expect([await toDecide(admin), await toDecide(regionalAdmin)]).toEqual([3, 1]);
});

test('the API lists every kind of request that the view counts', () => {
  const view = readFileSync('models/database/schema/organizations/definitions/waiting_approvals.sql', 'utf8');
  const kinds = [...view.matchAll(/SELECT \w+\.organization_id, '(\w+)'/g)].map(([, kind]) => kind);
  expect(kinds).toEqual(APPROVAL_KINDS);
});

test("a person's own request is not counted as theirs to decide", async () => {
  const { organizationId, chapterId } = stage.world;
  const both = await aMember(organizationId, chapterId, 'officer');
  await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
    organizationId,
    both.userId,
  ]);
  const before = await toDecide(both);
  await asOwner('UPDATE regional_admins SET is_active = false WHERE organization_id = $1', [organizationId]);
  const [without] = [await toDecide(both)];
  await ask(both);
  expect(await toDecide(both)).toBe(without);
  expect(without).toBeGreaterThan(before);
  await asOwner('UPDATE regional_admins SET is_active = true WHERE organization_id = $1', [organizationId]);
});

/** Address of the review of each kind of request. */
const REVIEWS: Record<(typeof APPROVAL_KINDS)[number], (organization: string, id: string) => string> = {
  account: (organization, id) => `/api/organizations/${organization}/account-requests/${id}/review/`,
  member_add: (organization, id) => `/api/organizations/${organization}/member-add-requests/${id}/review/`,
  status_change: (organization, id) => `/api/organizations/${organization}/status-change-requests/${id}/review/`,
  transfer: (organization, id) => `/api/organizations/${organization}/transfer-requests/${id}/review/`,
  hand_over: (organization, id) => `/api/organizations/${organization}/hand-over-requests/${id}/review/`,
  pnm_name: (_, id) => `/api/name-assignments/${id}/review/`,
  refund: (organization, id) => `/api/organizations/${organization}/refund-requests/${id}/review/`,
  plan: (organization, id) => `/api/hq/dues/${organization}/plan-requests/${id}/review/`,
};

/** A pending request of every kind; some are the reviewers' own. */
async function aRequestOfEachKind(world: World): Promise<{ deputy: Person }> {
  const { organizationId, chapterId, otherChapterId, admin, officer, otherOfficer, member } = world;
  const insert = async (table: string, row: Record<string, unknown>): Promise<string> => {
    const names = Object.keys(row);
    const [{ id }] = (await asOwner<{ id: string }>(
      `INSERT INTO ${table} (organization_id, ${names.join(', ')}) VALUES ($1, ${names.map((_, n) => `$${n + 2}`).join(', ')}) RETURNING id`,
      [organizationId, ...Object.values(row)],
    )) as [{ id: string }];
    return id;
  };
  const deputy = await aMember(organizationId, chapterId, 'officer');
  await asOwner('UPDATE org_dues_settings SET plan_regional_approval = true WHERE organization_id = $1', [
    organizationId,
  ]);
  const person = { first_name: 'Ada', last_name: 'Asks', justification: 'Asked.' };
  const account = { ...person, chapter_id: chapterId, status: 'pending', verified_at: '2030-01-01' };
  await insert('account_requests', { ...account, first_name: 'Own', last_name: 'Address', email: admin.email });
  await insert('account_requests', { ...account, email: 'ada@accounts.example' });
  const add = { ...person, chapter_id: chapterId, requested_by: officer.userId };
  await insert('member_add_requests', { ...add, email: 'one@adds.example', status: 'pending_regional' });
  await insert('member_add_requests', { ...add, email: 'two@adds.example', status: 'pending_organization' });
  const change = { chapter_id: chapterId, from_status: 'undergrad', reason: 'Graduated.', status: 'pending_officer' };
  for (const { membershipId: membership_id, userId: requested_by } of [member, officer])
    await insert('status_change_requests', { ...change, membership_id, requested_by, to_status: 'active_alumni' });
  const move = { to_chapter_id: chapterId, reason: 'Moved.', status: 'pending_destination' };
  for (const { membershipId: membership_id } of [otherOfficer, admin])
    await insert('transfer_requests', {
      ...move,
      membership_id,
      chapter_id: otherChapterId,
      requested_by: otherOfficer.userId,
    });
  const office = {
    chapter_id: chapterId,
    membership_id: officer.membershipId,
    position: 'treasurer',
    starts_on: '2026-01-01',
  };
  await insert('hand_over_requests', {
    chapter_id: chapterId,
    term_id: await insert('officer_terms', office),
    successor_id: deputy.membershipId,
    status: 'pending',
    requested_by: officer.userId,
  });
  const pnm = await aMember(organizationId, chapterId, 'member', 'pnm');
  const [profile] = await asOwner<{ id: string }>(
    `UPDATE pnm_profiles SET stage = 'approved' WHERE membership_id = $1 RETURNING id`,
    [pnm.membershipId],
  );
  await insert('pnm_name_assignments', {
    chapter_id: chapterId,
    profile_id: profile?.id,
    name: 'Aurora',
    name_key: 'aurora',
    status: 'proposed',
    requested_by: officer.userId,
  });
  const invoice_id = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 4_321_987 });
  await insert('refund_requests', {
    invoice_id,
    reason: 'Twice',
    requested_by: officer.userId,
    created_at: '2026-03-01',
  });
  await insert('payment_plan_requests', {
    invoice_id,
    chapter_id: chapterId,
    membership_id: member.membershipId,
    requested_by: member.userId,
    justification: 'New job.',
    schedule: '[]',
    invoice_balance_cents: 4_321_987,
    is_in_policy: true,
    policy_reasons: '[]',
    policy: '{}',
    freeze_anchor: '2026-02-10',
  });
  return { deputy };
}

test('each person lists the requests that are counted for them, and may_decide says what the review answers', async () => {
  const world = await aWorld();
  const { organizationId, chapterId, member } = world;
  const { deputy } = await aRequestOfEachKind(world);
  const people = { admin: world.admin, regional: world.regionalAdmin, officer: world.officer, deputy };
  const items = async (person: Person, query = '') =>
    (await stage.as(person).get(`${inOrganization(organizationId)}items/?page_size=100${query}`)).body;
  const open: { person: Person; kind: string; id: string }[] = [];
  for (const [name, person] of Object.entries(people)) {
    const { count, results } = await items(person);
    const counts = (await stage.as(person).get(inOrganization(organizationId))).body as {
      kind: string;
      count: number;
    }[];
    expect([name, count]).toEqual([name, counts.reduce((sum, { count: n }) => sum + n, 0)]);
    expect(JSON.stringify(results)).not.toContain('4321987');
    const summary = (await stage.as(person).get('/api/console/summary/')).body;
    // The count includes a request with an address of the reader, which only the review compares.
    const isCounted = (item: (typeof results)[number]) => item.may_decide || item.title === 'Account for Own Address';
    expect([name, summary.approvals.count]).toEqual([name, results.filter(isCounted).length]);
    for (const item of results) {
      const decision = ['refund', 'plan'].includes(item.kind) ? 'refuse' : 'reject';
      const review = { decision, notes: 'No.' };
      const path = REVIEWS[item.kind as 'plan'](organizationId, item.id);
      if (item.may_decide) open.push({ person, kind: item.kind, id: item.id });
      const sent = item.may_decide ? { ...review, version: 999 } : review;
      const { body } = await stage.as(person).post(path, sent);
      // Requests whose title is hidden are unknown to this person in their queue.
      const isHidden = ['Refund request', 'Payment plan request'].includes(item.title);
      const refusal = isHidden ? 'not_found' : (item.why_not?.code ?? 'stale_version');
      expect([name, item.kind, item.tier, body.code]).toEqual([name, item.kind, item.tier, refusal]);
    }
  }
  expect(new Set(open.map(({ kind }) => kind))).toEqual(new Set(APPROVAL_KINDS));
  const platformAdmin = stage.as(await aPlatformAdmin(), { 'X-Organization-Id': organizationId });
  const { results: all } = (await platformAdmin.get(`${inOrganization(organizationId)}items/`)).body;
  expect(all.every(({ may_decide }: { may_decide: boolean }) => may_decide)).toBe(true);
  expect((await platformAdmin.get('/api/console/summary/')).body.approvals.count).toBe(all.length);
  const { results } = await items(world.admin, `&chapter=${chapterId}`);
  const titles = Object.fromEntries(results.map(({ kind, title }: { kind: string; title: string }) => [kind, title]));
  const [{ name: memberName }] = (await asOwner<{ name: string }>(
    `SELECT first_name || ' ' || last_name AS name FROM users WHERE id = $1`,
    [member.userId],
  )) as [{ name: string }];
  expect(titles).toMatchObject({
    account: 'Account for Ada Asks',
    member_add: 'New member Ada Asks',
    transfer: expect.stringMatching(/^Transfer of First Last .* from Beta to Alpha$/),
    hand_over: expect.stringMatching(/^Hand-over of the office treasurer to First Last /),
    pnm_name: expect.stringMatching(/^Name Aurora for First Last /),
    refund: `Refund to ${memberName}: Dues`,
    plan: `Payment plan of ${memberName}: Dues`,
  });
  expect(results.map(({ title }: { title: string }) => title)).toContain(
    `Status of ${memberName}: undergrad to active alumni`,
  );
  const [plan] = (await items(world.officer, '&kind=plan')).results;
  expect(plan).toMatchObject({ title: 'Payment plan request', requested_by: null, may_decide: false });
  const byExpiry = (await items(world.admin, '&ordering=expires_at')).results as { expires_at: string | null }[];
  expect(byExpiry.slice(0, 3).map(({ expires_at }) => expires_at)).toEqual([
    expect.stringMatching(/^2026-02-13T/),
    '2026-03-31T00:00:00.000Z',
    null,
  ]);
  // Each kind, decided by a person who may.
  for (const kind of APPROVAL_KINDS) {
    const { person, id } = open.find((one) => one.kind === kind) as { person: Person; id: string };
    const decision = ['refund', 'plan'].includes(kind) ? 'refuse' : 'reject';
    const { status } = await stage.as(person).post(REVIEWS[kind](organizationId, id), { decision, notes: 'No.' });
    expect([kind, status]).toEqual([kind, 200]);
  }
});

test('the list refuses bad filters by name, and its statements do not grow with the rows', async () => {
  const path = (query: string) => `${inOrganization()}items/?${query}`;
  for (const [field, value] of Object.entries({
    kind: 'x',
    chapter: 'x',
    ordering: 'title',
    page_size: '0',
    page: 'x',
  })) {
    const { status, body } = await stage.admin.get(path(`${field}=${value}`));
    expect([field, status, Object.keys(body.errors)]).toEqual([field, 400, [field]]);
  }
  expect((await stage.admin.get(path(`chapter=${stage.other.chapterId}`))).body.count).toBe(0);
  expect((await stage.member.get(path(''))).status).toBe(403);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(`${inOrganization(id)}items/`));
  const measure = () => countStatements(() => stage.as(stage.world.regionalAdmin).get(path('')));
  const before = await measure();
  await ask(stage.world.officer);
  expect([before, await measure()]).toEqual([3, 3]);
});

test("members cannot read the counts, another organization's are a 404, and the counts are one statement", async () => {
  expect((await stage.member.get(inOrganization())).status).toBe(403);
  expect((await stage.member.get(inChapter())).status).toBe(403);
  expect((await stage.officer.get(inChapter(stage.world.otherChapterId))).status).toBe(403);
  await expectNowhere(stage.other.organizationId, (id) => stage.admin.get(inOrganization(id)));
  await expectNowhere(stage.other.chapterId, (id) => stage.admin.get(inChapter(id)));
  expect((await stage.as(stage.other.admin).get(inOrganization(stage.other.organizationId))).body).toEqual([]);
  expect(await countStatements(() => stage.admin.get(inOrganization()))).toBe(3);
});
