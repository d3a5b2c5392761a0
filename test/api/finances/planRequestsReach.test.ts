/** Who reads plan requests: the current officers, not the persons who were officers when the request was filed. */
import { Client } from '../../support/api.js';
import { apiWorld } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';

const { api, world } = apiWorld();
const as = ({ token }: { token: string }) => new Client(api.url, { token });
const set = (columns: string) =>
  asOwner(`UPDATE org_dues_settings SET ${columns} WHERE organization_id = $1`, [world.organizationId]);
const officerOf = (chapterId: string): Promise<Person> => aMember(world.organizationId, chapterId, 'officer');

beforeAll(() => set(`payment_plans_enabled = true, plan_requesters = 'members_and_officers'`));

/** Files a request as an officer for a member. @returns its id */
async function fileRequest(officer: Person): Promise<string> {
  const member = await aMember(world.organizationId, world.chapterId);
  const { chapterId } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: member.membershipId, cents: 60_000, dueIn: 20 });
  const { status, body } = await as(officer).post<{ id: string }>('/api/billing/plan-requests/', {
    invoice,
    justification: 'They pay 250 USD a month.',
    installment_count: 3,
    first_due_date: new Date(Date.now() + 5 * 86_400_000).toISOString().slice(0, 10),
    interval: 'monthly',
  });
  expect([status, body]).toMatchObject([201, {}]);
  return body.id;
}
const leaveOffice = ({ membershipId }: Person) =>
  as(world.admin).patch(`/api/memberships/${membershipId}/`, { role: 'member' });

test('a former officer neither reads, lists nor withdraws a request that they filed in office', async () => {
  const former = await officerOf(world.chapterId);
  const id = await fileRequest(former);
  expect((await leaveOffice(former)).status).toBe(200);
  expect((await as(former).get(`/api/billing/me/plan-requests/${id}/`)).status).toBe(404);
  expect((await as(former).post(`/api/billing/me/plan-requests/${id}/withdraw/`)).status).toBe(404);
  expect((await as(former).get('/api/billing/plan-requests/')).status).toBe(403);
});

test('the officers who hold the office now read, list and withdraw a request that a predecessor filed', async () => {
  const former = await officerOf(world.chapterId);
  const id = await fileRequest(former);
  await leaveOffice(former);
  const successor = as(await officerOf(world.chapterId));
  expect((await successor.get(`/api/billing/me/plan-requests/${id}/`)).status).toBe(200);
  const { body } = await successor.get<{ results: { id: string }[] }>('/api/billing/plan-requests/');
  expect(body.results.map((row) => row.id)).toContain(id);
  expect(await successor.post(`/api/billing/me/plan-requests/${id}/withdraw/`)).toMatchObject({
    status: 200,
    body: { status: 'withdrawn' },
  });
});

test('an officer of another chapter does not see a request, although they filed it before they moved', async () => {
  const officer = await officerOf(world.chapterId);
  const id = await fileRequest(officer);
  await leaveOffice(officer);
  const elsewhere = await asOwner<{ id: string }>(
    `INSERT INTO memberships (organization_id, chapter_id, user_id, role, status)
     VALUES ($1, $2, $3, 'officer', 'undergrad') RETURNING id`,
    [world.organizationId, world.otherChapterId, officer.userId],
  );
  expect(elsewhere).toHaveLength(1);
  expect((await as(officer).get(`/api/billing/me/plan-requests/${id}/`)).status).toBe(404);
  const { status, body } = await as(officer).get<{ results: { id: string }[] }>('/api/billing/plan-requests/');
  expect([status, body.results.filter((row) => row.id === id)]).toEqual([200, []]);
});

test('an officer cannot review a request, and an officer of another chapter does not find it', async () => {
  const id = await fileRequest(world.officer);
  const path = `/api/hq/dues/${world.organizationId}/plan-requests/${id}/review/`;
  expect((await as(world.officer).post(path, { decision: 'approve' })).status).toBe(403);
  expect((await as(await officerOf(world.otherChapterId)).post(path, { decision: 'approve' })).status).toBe(404);
});

test('free texts that may name an amount are hidden from officers who see none, except their own texts', async () => {
  const author = await officerOf(world.chapterId);
  const id = await fileRequest(author);
  await set('officers_see_amounts = false');
  const reader = as(await officerOf(world.chapterId));
  const read = async (client: Client) => (await client.get(`/api/billing/me/plan-requests/${id}/`)).body;
  expect(await read(reader)).toMatchObject({ justification: null, balance_due_cents: null });
  expect(await read(as(author))).toMatchObject({ justification: 'They pay 250 USD a month.', balance_due_cents: null });
  await as(world.admin).post(`/api/hq/dues/${world.organizationId}/plan-requests/${id}/review/`, {
    decision: 'approve',
    notes: 'Agreed: 200 USD now.',
  });
  const [plan] = await asOwner<{ id: string }>('SELECT id FROM payment_plans WHERE request_id = $1', [id]);
  const path = `/api/hq/dues/${world.organizationId}/payment-plans/${plan?.id}/`;
  await as(world.admin).post(`${path}installments/1/reconcile/`, { note: 'Paid 200.00 in cash.' });
  await as(world.admin).post(`${path}cancel/`, { reason: 'Paid all 600 USD.' });
  expect((await reader.get(path)).body).toMatchObject({ cancel_reason: null, installments: [{ note: null }, {}, {}] });
  expect(await read(reader)).toMatchObject({ review_notes: null, plan: { cancel_reason: null } });
  await set('officers_see_amounts = true');
  expect((await reader.get(path)).body).toMatchObject({ cancel_reason: 'Paid all 600 USD.' });
});
