/** Tests requests for a hand-over, planned terms, and notices about terms that end. */
import { applyNextChange } from '../../../models/organizations/lifecycle/applyChanges.js';
import { processNextDue } from '../../../models/organizations/lifecycle/membershipDay.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person } from '../../support/world.js';
import { statuses } from './statuses.support.js';

const stage = apiWorld();
const terms = (id = stage.world.chapterId) => `/api/chapters/${id}/officer-terms/`;
const planned = (id = stage.world.chapterId) => `/api/chapters/${id}/planned-terms/`;
const requestsPath = (id = stage.world.chapterId) => `/api/chapters/${id}/hand-over-requests/`;
const handOver = (id: string) => `/api/officer-terms/${id}/hand-over/`;
const request = (id: string, verb = '') =>
  `/api/organizations/${stage.world.organizationId}/hand-over-requests/${id}/${verb}`;
const inChapter = (role = 'member', status = 'undergrad') =>
  aMember(stage.world.organizationId, stage.world.chapterId, role, status);
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const role = async ({ membershipId }: Person) =>
  (await asOwner<{ role: string }>('SELECT role FROM memberships WHERE id = $1', [membershipId]))[0]?.role;
const notificationsOf = async ({ userId }: Person, subject: string) =>
  (
    await asOwner<{ notification_type: string }>(
      'SELECT notification_type FROM notifications WHERE recipient_id = $1 AND subject_id = $2 ORDER BY id',
      [userId, subject],
    )
  ).map(({ notification_type }) => notification_type);
const give = async (person: Person, position: string, more: object = {}): Promise<string> =>
  (await stage.admin.post(terms(), { membership: person.membershipId, position, ...more })).body.id;
/** Runs everything that is due on this day. */
const comeToday = async () => {
  const today = { organizationId: stage.world.organizationId, day: day(0) };
  while (await processNextDue(today));
};
/** Moves a planned term to today and runs it. */
const dayComes = async (id: string) => {
  await asOwner('UPDATE planned_terms SET starts_on = $2 WHERE id = $1', [id, day(0)]);
  await comeToday();
};
const stateOf = async (id: string) =>
  (
    await asOwner<{ state: string; refusal: string | null }>('SELECT state, refusal FROM planned_terms WHERE id = $1', [
      id,
    ])
  )[0];

beforeEach(async () => {
  await asOwner(`UPDATE memberships SET role = 'member' WHERE chapter_id = $1 AND role = 'president'`, [
    stage.world.chapterId,
  ]);
  await comeToday();
});

describe('a hand-over request of an officer', () => {
  test('an admin of the region approves a hand-over request, and approvers and requester are notified once', async () => {
    const { regionalAdmin, admin } = stage.world;
    const [president, heir] = [await inChapter(), await inChapter()];
    const term = await give(president, 'president');
    const filed = await stage.as(president).post(handOver(term), { successor: heir.membershipId, ends_on: day(300) });
    expect(filed).toMatchObject({ status: 202, body: { status: 'pending', term, successor: heir.membershipId } });
    const { id } = filed.body;
    expect(await role(president)).toBe('president');
    expect([await notificationsOf(regionalAdmin, id), await notificationsOf(admin, id)]).toEqual([
      ['hand_over_requested'],
      [],
    ]);
    const waiting = await stage.as(regionalAdmin).get(`/api/chapters/${stage.world.chapterId}/approvals/`);
    expect(waiting.body).toContainEqual(expect.objectContaining({ kind: 'hand_over', tier: 'regional', count: 1 }));
    const again = await stage.as(president).post(handOver(term), { successor: heir.membershipId });
    expect(again).toMatchObject({ status: 409, body: { code: 'request_open' } });
    expect((await stage.as(president).post(request(id, 'review/'), { decision: 'approve' })).status).toBe(403);

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => stage.as(regionalAdmin).post(request(id, 'review/'), { decision: 'approve' })),
    );
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    expect([await role(president), await role(heir)]).toEqual(['member', 'president']);
    expect(await notificationsOf(president, id)).toEqual(['hand_over_decided']);
    const unresolved = `SELECT FROM notifications WHERE subject_id = $1 AND recipient_id = $2 AND resolved_at IS NULL`;
    expect(await asOwner(unresolved, [id, regionalAdmin.userId])).toEqual([]);
  });

  test('a hand-over request is rejected with a reason or withdrawn, and its officer cannot decide it', async () => {
    const [president, heir] = [await inChapter(), await inChapter()];
    const term = await give(president, 'president');
    const file = () => stage.as(president).post(handOver(term), { successor: heir.membershipId });
    const first = (await file()).body.id;
    expect((await stage.admin.post(request(first, 'review/'), { decision: 'reject' })).status).toBe(400);
    const rejected = await stage.admin.post(request(first, 'review/'), { decision: 'reject', notes: 'Not yet.' });
    expect(rejected.body).toMatchObject({ status: 'rejected', review_notes: 'Not yet.' });
    const second = (await file()).body.id;
    expect((await stage.as(heir).post(request(second, 'withdraw/'), {})).status).toBe(403);
    expect((await stage.as(president).post(request(second, 'withdraw/'), {})).body.status).toBe('withdrawn');
    expect((await stage.admin.post(request(second, 'review/'), { decision: 'approve' })).body.code).toBe(
      'request_closed',
    );
    const third = (await file()).body.id;
    await asOwner('INSERT INTO organization_admins (organization_id, user_id) VALUES ($1, $2)', [
      stage.world.organizationId,
      president.userId,
    ]);
    expect((await stage.as(president).post(request(third, 'review/'), { decision: 'approve' })).body.code).toBe(
      'own_request',
    );
    await asOwner("UPDATE memberships SET status = 'alumni' WHERE id = $1", [heir.membershipId]);
    const bulk = `/api/organizations/${stage.world.organizationId}/hand-over-requests/bulk-review/`;
    const { body } = await stage.admin.post(bulk, { ids: [third, second], decision: 'approve' });
    expect(body.map(({ error }: { error: { code: string } }) => error.code)).toEqual([
      'not_in_active_standing',
      'request_closed',
    ]);
    expect((await stage.admin.get(request(third))).body.status).toBe('pending');
  });

  test('a term with a pending hand-over request cannot be deleted', async () => {
    const [president, heir] = [await inChapter(), await inChapter()];
    const term = await give(president, 'president');
    const { id } = (await stage.as(president).post(handOver(term), { successor: heir.membershipId })).body;
    const remove = () => stage.admin.delete(`${terms()}${term}/`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'request_open' } });
    expect((await stage.as(president).get(request(id))).body.status).toBe('pending');
    await stage.admin.post(request(id, 'review/'), { decision: 'reject', notes: 'A mistake.' });
    expect((await remove()).status).toBe(204);
  });

  test('a hand-over request is refused to other chapters and unknown to other organizations', async () => {
    const { world, other } = stage;
    const term = await give(await inChapter(), 'treasurer');
    const heir = (await inChapter()).membershipId;
    expect((await stage.as(world.otherOfficer).post(handOver(term), { successor: heir })).status).toBe(403);
    const { id } = (await stage.officer.post(handOver(term), { successor: heir })).body;
    expect((await stage.as(world.otherOfficer).get(request(id))).status).toBe(403);
    await expectNowhere(other.chapterId, (of) => stage.admin.get(requestsPath(of)));
    await expectNowhere(other.chapterId, (of) => stage.admin.get(planned(of)));
    const before = await countStatements(() => stage.officer.get(requestsPath()));
    const more = await give(await inChapter(), 'secretary');
    await stage.officer.post(handOver(more), { successor: heir });
    expect(await countStatements(() => stage.officer.get(requestsPath()))).toBe(before);
  });
});

describe('an office that begins on a later day', () => {
  test('a planned term begins once on its day and ends the previous term', async () => {
    const [president, heir] = [await inChapter(), await inChapter()];
    const term = await give(president, 'president', { title: 'Consul' });
    const { status, body } = await stage.admin.post(handOver(term), {
      successor: heir.membershipId,
      effective_on: day(20),
      ends_on: day(300),
    });
    expect([status, body]).toEqual([202, expect.objectContaining({ state: 'scheduled', predecessor: term })]);
    await comeToday();
    expect([await role(president), await role(heir)]).toEqual(['president', 'member']);
    await asOwner('UPDATE planned_terms SET starts_on = $2 WHERE id = $1', [body.id, day(0)]);
    const today = { organizationId: stage.world.organizationId, day: day(0) };
    await Promise.all([processNextDue(today), processNextDue(today), processNextDue(today)]);
    await comeToday();
    expect([await role(president), await role(heir)]).toEqual(['member', 'president']);
    expect(await stateOf(body.id)).toEqual({ state: 'begun', refusal: null });
    const { results } = (await stage.as(heir).get(`${terms()}?running=true`)).body;
    const begun = results.filter(({ membership }: { membership: string }) => membership === heir.membershipId);
    expect(begun).toEqual([expect.objectContaining({ title: 'Consul', starts_on: day(0), ends_on: day(300) })]);
  });

  test("a planned term begins even without a present holder, and also from an officer's request", async () => {
    const [treasurer, heir] = [await inChapter(), await inChapter()];
    const term = await give(treasurer, 'treasurer');
    const filed = await stage
      .as(treasurer)
      .post(handOver(term), { successor: heir.membershipId, effective_on: day(9) });
    expect((await stage.admin.post(request(filed.body.id, 'review/'), { decision: 'approve' })).status).toBe(200);
    expect(await role(heir)).toBe('member');
    const [plan] = (await stage.officer.get(`${planned()}?state=scheduled`)).body.results;
    expect(plan).toMatchObject({ membership: heir.membershipId, starts_on: day(9), predecessor: term });
    await stage.admin.patch(`${terms()}${term}/`, { ended_on: day(0) });
    await dayComes(plan.id);
    expect([await stateOf(plan.id), await role(heir)]).toEqual([{ state: 'begun', refusal: null }, 'officer']);
  });

  test('only admins cancel a planned term before its day', async () => {
    const heir = await inChapter();
    const made = await stage.admin.post(terms(), {
      membership: heir.membershipId,
      position: 'secretary',
      starts_on: day(5),
    });
    expect(made.status).toBe(202);
    const cancel = `${planned()}${made.body.id}/cancel/`;
    expect((await stage.officer.post(cancel, {})).status).toBe(403);
    expect((await stage.admin.post(cancel, {})).body).toMatchObject({ state: 'cancelled' });
    expect((await stage.admin.post(cancel, {})).body.code).toBe('change_ended');
    await dayComes(made.body.id);
    expect(await role(heir)).toBe('member');
  });

  test('a planned term is checked again on its day, and its planner is notified of a refusal', async () => {
    const { organizationId, regionalAdmin, admin } = stage.world;
    const [alumna, heir] = [await inChapter(), await inChapter()];
    const plan = async (person: Person) =>
      (
        await stage
          .as(regionalAdmin)
          .post(terms(), { membership: person.membershipId, position: 'intake', starts_on: day(5) })
      ).body.id as string;
    const [first, second] = [await plan(alumna), await plan(heir)];
    await asOwner("UPDATE memberships SET status = 'alumni' WHERE id = $1", [alumna.membershipId]);
    await dayComes(first);
    expect(await stateOf(first)).toEqual({ state: 'refused', refusal: 'not_in_active_standing' });
    expect(await notificationsOf(regionalAdmin, first)).toEqual(['planned_term_not_begun']);
    const setActive = 'UPDATE regional_admins SET is_active = $2 WHERE organization_id = $3 AND user_id = $1';
    await asOwner(setActive, [regionalAdmin.userId, false, organizationId]);
    await dayComes(second);
    await asOwner(setActive, [regionalAdmin.userId, true, organizationId]);
    expect([await stateOf(second), await role(heir)]).toEqual([{ state: 'refused', refusal: 'forbidden' }, 'member']);
    expect(await notificationsOf(admin, second)).toEqual(['planned_term_not_begun']);
  });
});

test('a scheduled change by an officer without the right is refused, and a failing one does not delay others', async () => {
  const { organizationId, chapterId, admin } = stage.world;
  const officer = await aMember(organizationId, chapterId, 'officer');
  const [one, broken, last] = [await inChapter(), await inChapter(), await inChapter()];
  const change = async (person: Person, by: Person) => {
    const path = `/api/memberships/${person.membershipId}/`;
    return (await stage.as(by).patch(path, { status: 'associate', effective_on: day(9) })).body.id as string;
  };
  const ids = [await change(one, officer), await change(broken, admin), await change(last, admin)];
  await asOwner("UPDATE memberships SET role = 'member' WHERE id = $1", [officer.membershipId]);
  // No rule of ours refuses this one: the failure is unexpected.
  await asOwner(`CREATE FUNCTION app.break_one() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF NEW.id = '${broken.membershipId}' THEN RAISE EXCEPTION 'broken' USING ERRCODE = 'XX000'; END IF; RETURN NEW; END $$`);
  await asOwner('CREATE TRIGGER break_one BEFORE UPDATE ON memberships FOR EACH ROW EXECUTE FUNCTION app.break_one()');
  try {
    await asOwner('UPDATE membership_scheduled_changes SET effective_on = $2 WHERE id = ANY ($1)', [ids, day(0)]);
    const today = { organizationId, day: day(0) };
    while (await applyNextChange(today));
  } finally {
    await asOwner('DROP FUNCTION app.break_one() CASCADE');
  }
  const ended = await asOwner(
    'SELECT state, refusal FROM membership_scheduled_changes WHERE id = ANY ($1) ORDER BY id',
    [ids],
  );
  expect(ended).toEqual([
    { state: 'refused', refusal: 'forbidden' },
    { state: 'failed', refusal: 'unforeseen' },
    { state: 'applied', refusal: null },
  ]);
  const [first, second] = ids as [string, string];
  expect([await notificationsOf(admin, first), await notificationsOf(admin, second)]).toEqual([
    ['scheduled_change_not_made'],
    ['scheduled_change_not_made'],
  ]);
});

test('the holder and the region are notified 30 and 7 days before the end of a term and weekly after it, and the region of a vacancy', async () => {
  const { regionalAdmin } = stage.world;
  const holder = await inChapter();
  const term = await give(holder, 'vice_president', { ends_on: day(31) });
  const endsIn = async (days: number) => {
    await asOwner('UPDATE officer_terms SET starts_on = $2, ends_on = $3 WHERE id = $1', [term, day(-90), day(days)]);
    await comeToday();
    await comeToday();
    return [(await notificationsOf(holder, term)).length, (await notificationsOf(regionalAdmin, term)).length];
  };
  expect(await endsIn(31)).toEqual([0, 0]);
  expect(await endsIn(30)).toEqual([1, 0]);
  expect(await endsIn(5)).toEqual([2, 0]);
  expect(await endsIn(0)).toEqual([3, 0]);
  expect(await endsIn(-1)).toEqual([4, 1]);
  expect(new Set(await notificationsOf(holder, term))).toEqual(new Set(['term_ends_soon', 'term_held_over']));

  const noticeDays = () =>
    asOwner<{ due: string }>(
      'SELECT (due_on - $2::date)::int AS due FROM officer_term_notices WHERE term_id = $1 ORDER BY due_on',
      [term, day(0)],
    );
  const before = (await noticeDays()).length;
  for (const _sameWeek of [1, 2]) await comeToday();
  expect((await noticeDays()).length).toBe(before);
  await stage.admin.patch(`${terms()}${term}/`, { ended_on: day(0) });
  await comeToday();
  await comeToday();
  expect((await notificationsOf(regionalAdmin, term)).filter((type) => type === 'office_vacant')).toHaveLength(1);
  await give(holder, 'vice_president');
  await comeToday();
  expect((await notificationsOf(regionalAdmin, term)).filter((type) => type === 'office_vacant')).toHaveLength(1);
});
