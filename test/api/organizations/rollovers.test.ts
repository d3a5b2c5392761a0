import { MockActivityEnvironment } from '@temporalio/testing';
import {
  finishRevert,
  finishRollover,
  moveMembers,
  returnMembers,
} from '../../../activities/organizations/rollovers.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { issueCredit } from '../../../models/finances/credit/issueCredit.js';
import { cancelRollover } from '../../../models/organizations/rollovers/endRollover.js';
import { moveNextMembers } from '../../../models/organizations/rollovers/moveNextMembers.js';
import { returnNextMembers } from '../../../models/organizations/rollovers/returnNextMembers.js';
import type { RolloverInput } from '../../../workflows/contracts/rollOver.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, aWorld, type Person, type World } from '../../support/world.js';

const stage = apiWorld();
const SPRING = { academic_year: 2027, through_season: 'SPRING' };

const path = (world: World) => `/api/organizations/${world.organizationId}/rollovers/`;
const one = (id: string) => `/api/rollovers/${id}/`;
const adminOf = (world: World) => stage.as(world.admin);
const post = (world: World, body: object) => adminOf(world).post(path(world), { ...SPRING, ...body });
const preview = async (world: World, body: object = {}) => (await post(world, { ...body, dry_run: true })).body;
async function confirmed(world: World, body: object = {}): Promise<{ id: string; members_planned: number }> {
  const { preview_hash } = await preview(world, body);
  const answer = await post(world, { ...body, preview_hash });
  expect(answer.status).toBe(202);
  return answer.body;
}
const rollover = async (world: World, id: string) => (await adminOf(world).get(one(id))).body;
const lines = async (world: World, id: string, filter = '') =>
  (await adminOf(world).get(`${one(id)}lines/?page_size=100${filter}`)).body.results as {
    membership: string;
    outcome: string;
    why: string | null;
  }[];
const outcomes = async (world: World, id: string) =>
  Object.fromEntries((await lines(world, id)).map(({ membership, outcome, why }) => [membership, why ?? outcome]));

/** Creates an undergraduate with this graduation year and season. */
async function graduating(world: World, year: number | null, season: string | null = null, role = 'member') {
  const person = await aMember(world.organizationId, world.chapterId, role);
  await graduate(person, year, season);
  return person;
}
const graduate = ({ membershipId }: Person, year: number | null, season: string | null = null) =>
  asOwner('UPDATE memberships SET graduation_year = $2, graduation_season = $3 WHERE id = $1', [
    membershipId,
    year,
    season,
  ]);
const standing = async ({ membershipId }: Person) =>
  (await asOwner('SELECT status, role FROM memberships WHERE id = $1', [membershipId]))[0];

/** Runs the activities of the process, each step twice as on a retry. */
const environment = new MockActivityEnvironment();
async function twice<T>(step: (input: RolloverInput) => Promise<T>, world: World, id: string): Promise<T> {
  const input = { organizationId: world.organizationId, rolloverId: id };
  await environment.run(step, input);
  return environment.run(step, input);
}
async function moveAll(world: World, id: string): Promise<void> {
  while (await twice(moveMembers, world, id));
  await twice(finishRollover, world, id);
}
async function returnAll(world: World, id: string): Promise<void> {
  while (await twice(returnMembers, world, id));
  await twice(finishRevert, world, id);
}

const [WHOLE] = readInvariants().filter(({ name }) => name.startsWith('the history of a membership'));
afterEach(async () => expect(await asOwner(WHOLE?.query as string)).toEqual([]));

test('rollovers are for admins of their organization', async () => {
  const { world, other } = stage;
  const ended = await aWorld();
  await graduating(ended, 2026);
  const { id } = await confirmed(ended);
  expect((await stage.nobody.get(path(world))).status).toBe(401);
  for (const person of [world.officer, world.regionalAdmin, world.member]) {
    expect((await stage.as(person).get(path(world))).status).toBe(403);
    expect((await stage.as(person).post(path(world), { ...SPRING, dry_run: true })).status).toBe(403);
  }
  for (const address of ['', 'lines/', 'revert/'])
    expect((await stage.as(ended.officer)[address === 'revert/' ? 'post' : 'get'](one(id) + address)).status).toBe(403);
  await expectNowhere(ended.organizationId, (of) => adminOf(other).get(`/api/organizations/${of}/rollovers/`));
  await expectNowhere(id, (of) => adminOf(other).get(one(of)));
  await expectNowhere(id, (of) => adminOf(other).get(`${one(of)}lines/`));
  await expectNowhere(id, (of) => adminOf(other).post(`${one(of)}revert/`));
});

test.each([
  ['academic_year', { academic_year: 26 }],
  ['through_season', { through_season: 'WINTER' }],
  ['to_status', { to_status: 'inactive' }],
  ['chapters', { chapters: [] }],
  ['preview_hash', { dry_run: false }],
  ['everybody', { everybody: true }],
])('%s is refused where it makes no sense', async (field, body) => {
  const answer = await post(stage.world, { dry_run: true, ...body });
  expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [expect.any(String)] } } });
});

test('chapters and members of another organization are refused as unknown', async () => {
  const { chapterId: chapter, member } = stage.other;
  expect(await post(stage.world, { dry_run: true, chapters: [chapter], except: [member.membershipId] })).toMatchObject({
    status: 400,
    body: { errors: { chapters: ['There is no such chapter.'], except: ['There is no such membership.'] } },
  });
});

test('members are due by the order of the academic year, and a year without a season counts at its end', async () => {
  const world = await aWorld();
  const due: [number, string | null][] = [
    [2026, null],
    [2026, 'SUMMER'],
    [2027, 'FALL'],
    [2027, 'SPRING'],
  ];
  const people = [];
  for (const [year, season] of due) people.push(await graduating(world, year, season));
  for (const [year, season] of [
    [2027, 'SUMMER'],
    [2027, null],
    [2028, 'FALL'],
  ] as const)
    await graduating(world, year, season);
  const alumnus = await graduating(world, 2020);
  await asOwner(`UPDATE memberships SET status = 'alumni' WHERE id = $1`, [alumnus.membershipId]);
  const previewed = await preview(world);
  expect(previewed.lines.map(({ membership }: { membership: string }) => membership).sort()).toEqual(
    people.map(({ membershipId }) => membershipId).sort(),
  );
  // Two officers and three members of the world have no graduation year.
  expect(previewed.totals).toMatchObject({ members: 4, chapters: 1, in_office: 0, owing: 0, without_year: 5 });
  expect(previewed.without_year).toHaveLength(5);
  expect((await preview(world, { through_season: 'SUMMER' })).totals.members).toBe(6);
  expect((await preview(world, { through_season: 'FALL' })).totals.members).toBe(3);
  expect((await preview(world, { chapters: [world.otherChapterId] })).totals.members).toBe(0);
  expect((await preview(world, { except: [people[0]?.membershipId] })).totals.members).toBe(3);
});

test('a rollover moves exactly the previewed members, ends their offices and pays debts from credit', async () => {
  const world = await aWorld();
  const [plain, officer] = [await graduating(world, 2027, 'FALL'), await graduating(world, 2027, 'SPRING', 'officer')];
  const owing = await graduating(world, 2026);
  const stays = await graduating(world, 2028);
  const { chapterId, organizationId } = world;
  const invoice = await anInvoice(world, { chapterId, membershipId: owing.membershipId });
  const payer = { chapterId, membershipId: owing.membershipId };
  await inTenant(organizationId, () => issueCredit({ payer, amountCents: 4_000, reason: 'A gift' }));
  const previewed = await preview(world);
  expect(previewed.totals).toMatchObject({ members: 3, in_office: 1, owing: 1, owing_cents: 10_000 });
  expect(previewed.lines.slice(0, 2).map(({ membership }: { membership: string }) => membership)).toEqual(
    [officer.membershipId, owing.membershipId].sort(),
  );
  const { id } = await confirmed(world);
  const late = await graduating(world, 2020);
  await moveAll(world, id);
  expect(await rollover(world, id)).toMatchObject({
    status: 'completed',
    members_planned: 3,
    members_moved: 3,
    members_skipped: 0,
    started_by: world.admin.userId,
    workflow_id: `rollover/${id}`,
    revertible_until: expect.any(String),
  });
  expect(await standing(plain)).toEqual({ status: 'alumni', role: 'member' });
  expect(await standing(officer)).toEqual({ status: 'alumni', role: 'alumni' });
  for (const person of [stays, late]) expect(await standing(person)).toMatchObject({ status: 'undergrad' });
  expect(
    await asOwner('SELECT FROM officer_terms WHERE membership_id = $1 AND ended_on IS NULL', [officer.membershipId]),
  ).toEqual([]);
  expect(await asOwner('SELECT balance_due_cents::int FROM chapter_invoices WHERE id = $1', [invoice])).toEqual([
    { balance_due_cents: 6_000 },
  ]);
  const history = (await adminOf(world).get(`/api/memberships/${officer.membershipId}/history/`)).body;
  expect(history).toMatchObject({
    count: 2,
    results: [{ status: 'alumni', role: 'alumni', source: 'rollover', actor: world.admin.userId }, {}],
  });
  expect(
    await asOwner(
      `SELECT a.subject_id, v.before, v.after FROM audit_log a JOIN audit_values v ON v.entry_id = a.id
        WHERE a.organization_id = $1 AND a.action = 'membership.updated' AND a.actor_user_id = $2 ORDER BY a.subject_id`,
      [organizationId, world.admin.userId],
    ),
  ).toEqual(
    [plain, officer, owing]
      .map(({ membershipId }) => membershipId)
      .sort()
      .map((membership) => {
        const led = membership === officer.membershipId;
        return {
          subject_id: membership,
          before: { status: 'undergrad', ...(led && { role: 'officer' }) },
          after: { status: 'alumni', ...(led && { role: 'alumni' }), rollover_id: id },
        };
      }),
  );
  const notified = await asOwner<{ notification_type: string }>(
    `SELECT notification_type FROM notifications WHERE organization_id = $1 AND notification_type ~ 'membership|rollover' ORDER BY 1`,
    [organizationId],
  );
  expect(notified.map(({ notification_type }) => notification_type)).toEqual([
    ...Array<string>(3).fill('membership_changed'),
    'rollover_ended',
  ]);
});

test('a member who changed since the preview is skipped with the reason', async () => {
  const world = await aWorld();
  const [inactive, corrected, elected, moved] = [
    await graduating(world, 2027, 'FALL'),
    await graduating(world, 2027, 'FALL'),
    await graduating(world, 2027, 'FALL'),
    await graduating(world, 2027, 'FALL'),
  ];
  const { id } = await confirmed(world);
  await graduate(corrected, 2028);
  const patch = (person: Person, body: object) =>
    adminOf(world).patch(`/api/memberships/${person.membershipId}/`, body);
  expect((await patch(inactive, { status: 'inactive' })).status).toBe(200);
  expect((await patch(elected, { role: 'president' })).status).toBe(200);
  expect((await patch(moved, { pledge_class: 'Beta' })).status).toBe(200);
  await moveAll(world, id);
  expect(await outcomes(world, id)).toEqual({
    [inactive.membershipId]: 'status_changed',
    [corrected.membershipId]: 'graduation_changed',
    [elected.membershipId]: 'role_changed',
    [moved.membershipId]: 'moved',
  });
  expect(await rollover(world, id)).toMatchObject({ members_moved: 1, members_skipped: 3 });
  expect(await lines(world, id, '&outcome=skipped')).toHaveLength(3);
  expect(await standing(elected)).toEqual({ status: 'undergrad', role: 'president' });
});

test('an erasure during a rollover or its revert leaves the membership alone and the line by id', async () => {
  const world = await aWorld();
  const [before, after] = [await graduating(world, 2027, 'FALL'), await graduating(world, 2027, 'FALL')];
  const leaves = ({ userId }: Person) => inTenant(world.organizationId, () => eraseInOrganization(userId));
  const { id } = await confirmed(world);
  await leaves(before);
  await moveAll(world, id);
  await leaves(after);
  expect((await adminOf(world).post(`${one(id)}revert/`)).status).toBe(202);
  await returnAll(world, id);
  expect(await outcomes(world, id)).toEqual({
    [before.membershipId]: 'status_changed',
    [after.membershipId]: 'changed_since',
  });
  for (const person of [before, after]) expect(await standing(person)).toMatchObject({ status: 'inactive' });
});

test('a stale preview is refused, and a rollover without due members is refused too', async () => {
  const world = await aWorld();
  expect(await post(world, { preview_hash: (await preview(world)).preview_hash })).toMatchObject({
    status: 409,
    body: { code: 'nothing_to_roll_over' },
  });
  const person = await graduating(world, 2027, 'FALL');
  const { preview_hash } = await preview(world);
  for (const other of [{ through_season: 'FALL' }, { to_status: 'active_alumni' }, { academic_year: 2028 }])
    expect(await post(world, { ...other, preview_hash })).toMatchObject({ body: { code: 'preview_stale' } });
  await graduate(person, 2027, 'SPRING');
  expect(await post(world, { preview_hash })).toMatchObject({ status: 409, body: { code: 'preview_stale' } });
  expect((await adminOf(world).get(path(world))).body.count).toBe(0);
});

test('of ten concurrent confirmations one begins, and no other rollover runs meanwhile', async () => {
  const world = await aWorld();
  await graduating(world, 2027, 'FALL');
  const { preview_hash } = await preview(world);
  const answers = await Promise.all(Array.from({ length: 10 }, () => post(world, { preview_hash })));
  expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, ...Array<number>(9).fill(409)]);
  expect(answers.filter(({ status }) => status === 409).map(({ body }) => body.code)).toEqual(
    Array(9).fill('rollover_in_progress'),
  );
  expect(await asOwner('SELECT process FROM outbox WHERE organization_id = $1', [world.organizationId])).toEqual([
    { process: 'rollOver' },
  ]);
  const [{ id }] = (await adminOf(world).get(path(world))).body.results;
  expect(await adminOf(world).post(`${one(id)}revert/`)).toMatchObject({ body: { code: 'rollover_in_progress' } });
});

test('a batch takes the same number of statements for many members as for one, in both directions, and so do lists', async () => {
  const [few, many] = [await aWorld(), await aWorld()];
  await graduating(few, 2027, 'FALL', 'officer');
  for (let n = 0; n < 12; n += 1) await graduating(many, 2027, 'FALL', 'officer');
  for (const world of [few, many])
    for (const { membership_id: membershipId } of await asOwner<{ membership_id: string }>(
      'SELECT id AS membership_id FROM memberships WHERE organization_id = $1 AND graduation_year = 2027',
      [world.organizationId],
    )) {
      const payer = { chapterId: world.chapterId, membershipId };
      await anInvoice(world, payer);
      await inTenant(world.organizationId, () => issueCredit({ payer, amountCents: 100, reason: 'A gift' }));
    }
  const counts: Record<string, number[]> = { move: [], back: [], list: [], lines: [] };
  for (const world of [few, many]) {
    const { id } = await confirmed(world);
    const count = async (what: string, work: () => Promise<unknown>) => counts[what]?.push(await countStatements(work));
    await count('move', () => inTenant(world.organizationId, () => moveNextMembers(id)));
    await twice(moveMembers, world, id);
    await twice(finishRollover, world, id);
    await adminOf(world).post(`${one(id)}revert/`);
    await count('back', () => inTenant(world.organizationId, () => returnNextMembers(id)));
    await count('list', () => adminOf(world).get(path(world)));
    await count('lines', () => adminOf(world).get(`${one(id)}lines/`));
  }
  for (const [a, b] of Object.values(counts)) expect(a).toBe(b);
  expect(counts).toMatchObject({ list: [3, 3], lines: [3, 3] });
});

describe('a reverted rollover', () => {
  const revert = (world: World, id: string) => adminOf(world).post(`${one(id)}revert/`);

  test('a revert restores unchanged members, keeps the others with a reason, and leaves credit applied', async () => {
    const world = await aWorld();
    const [plain, officer, changed] = [
      await graduating(world, 2027, 'FALL'),
      await graduating(world, 2027, 'FALL', 'officer'),
      await graduating(world, 2027, 'FALL'),
    ];
    const { chapterId, organizationId } = world;
    const payer = { chapterId, membershipId: plain.membershipId };
    const invoice = await anInvoice(world, payer);
    await inTenant(organizationId, () => issueCredit({ payer, amountCents: 4_000, reason: 'A gift' }));
    const { id } = await confirmed(world);
    await moveAll(world, id);
    const admin = adminOf(world);
    await admin.patch(`/api/memberships/${changed.membershipId}/`, { status: 'lifetime_alumni' });
    await graduate(plain, 2029);
    expect(await revert(world, id)).toMatchObject({ status: 202, body: { status: 'reverting' } });
    await returnAll(world, id);
    expect(await rollover(world, id)).toMatchObject({
      status: 'reverted',
      members_moved: 3,
      members_returned: 2,
      members_kept: 1,
      reverted_by: world.admin.userId,
    });
    expect(await outcomes(world, id)).toEqual({
      [plain.membershipId]: 'returned',
      [officer.membershipId]: 'returned',
      [changed.membershipId]: 'changed_since',
    });
    expect(await standing(plain)).toEqual({ status: 'undergrad', role: 'member' });
    expect(await standing(officer)).toEqual({ status: 'undergrad', role: 'officer' });
    expect(await standing(changed)).toMatchObject({ status: 'lifetime_alumni' });
    expect(
      (await admin.get(`/api/chapters/${chapterId}/officer-terms/?running=true`)).body.results.map(
        ({ membership }: { membership: string }) => membership,
      ),
    ).toContain(officer.membershipId);
    expect(
      await asOwner('SELECT balance_due_cents::int AS due FROM chapter_invoices WHERE id = $1', [invoice]),
    ).toEqual([{ due: 6_000 }]);
    const { results } = (await admin.get(`/api/memberships/${plain.membershipId}/history/`)).body;
    expect(results.map(({ source }: { source: string }) => source)).toEqual(['rollover_reverted', 'rollover', 'added']);
    expect(await revert(world, id)).toMatchObject({ status: 409, body: { code: 'rollover_reverted' } });
  });

  test('a revert does not restore an office that another person has taken', async () => {
    const world = await aWorld();
    const president = await graduating(world, 2027, 'FALL', 'president');
    const { id } = await confirmed(world);
    await moveAll(world, id);
    const next = await aMember(world.organizationId, world.chapterId, 'president');
    await revert(world, id);
    await returnAll(world, id);
    expect(await standing(president)).toEqual({ status: 'undergrad', role: 'member' });
    expect(await standing(next)).toMatchObject({ role: 'president' });
    expect(await lines(world, id)).toMatchObject([{ outcome: 'returned', why: 'office_not_returned' }]);
  });

  test('a revert keeps an office that continued in the new status', async () => {
    const world = await aWorld();
    const officer = await graduating(world, 2027, 'FALL', 'officer');
    const { id } = await confirmed(world, { to_status: 'active_alumni' });
    await moveAll(world, id);
    expect(await standing(officer)).toEqual({ status: 'active_alumni', role: 'officer' });
    await revert(world, id);
    await returnAll(world, id);
    expect(await standing(officer)).toEqual({ status: 'undergrad', role: 'officer' });
  });

  test('a revert is possible within seven days and once, and covers the finished part of a cancelled rollover', async () => {
    const world = await aWorld();
    const [moved, waiting] = [await graduating(world, 2027, 'FALL'), await graduating(world, 2027, 'FALL')];
    const { id } = await confirmed(world);
    // The batch ended between the two members.
    await asOwner(`UPDATE rollover_lines SET outcome = 'skipped', why = 'status_changed' WHERE membership_id = $1`, [
      waiting.membershipId,
    ]);
    await inTenant(world.organizationId, () => moveNextMembers(id));
    await asOwner(`UPDATE rollover_lines SET outcome = 'waiting', why = NULL WHERE membership_id = $1`, [
      waiting.membershipId,
    ]);
    await inTenant(world.organizationId, () => cancelRollover(id));
    expect(await inTenant(world.organizationId, () => moveNextMembers(id))).toBe(false);
    expect(await rollover(world, id)).toMatchObject({ status: 'cancelled', members_planned: 2, members_moved: 1 });
    await asOwner(`UPDATE rollovers SET ended_at = now() - interval '8 days' WHERE id = $1`, [id]);
    expect(await revert(world, id)).toMatchObject({ status: 409, body: { code: 'revert_too_late' } });
    await asOwner(`UPDATE rollovers SET ended_at = now() - interval '6 days' WHERE id = $1`, [id]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => revert(world, id)));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([202, ...Array<number>(9).fill(409)]);
    const { preview_hash } = await preview(world);
    expect(await post(world, { preview_hash })).toMatchObject({ body: { code: 'rollover_in_progress' } });
    await returnAll(world, id);
    for (const person of [moved, waiting]) expect(await standing(person)).toMatchObject({ status: 'undergrad' });
    expect(await lines(world, id, '&outcome=waiting')).toHaveLength(1);
    expect((await confirmed(world)).members_planned).toBe(2);
  });
});
