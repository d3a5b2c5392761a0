/** Tests which status changes each authority may make, and the history of a membership. */
import { statuses } from './statuses.support.js';
import { countStatements } from '../../support/statements.js';
import { asOwner } from '../../support/owner.js';
import { aMember, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { MEMBERSHIP_STATUSES, type MembershipStatus } from '../../../models/organizations/vocabulary.js';
import {
  AUTHORITY_LEVELS,
  type Authority,
  canTransition,
  requireTransition,
} from '../../../models/organizations/lifecycle/transitions.js';
import { Refusal } from '../../../models/errors.js';
import { applyNextChange } from '../../../models/organizations/lifecycle/applyChanges.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';

const stage = apiWorld();
const path = (id: string) => `/api/memberships/${id}/`;
const historyOf = (id: string) => `${path(id)}history/`;
const inChapter = (role = 'member', status = 'undergrad') =>
  aMember(stage.world.organizationId, stage.world.chapterId, role, status);
const days = async (expression: string): Promise<string> =>
  (await asOwner<{ day: string }>(`SELECT (${expression})::text AS day`))[0]?.day as string;
const joinedOn = (id: string, day: string) =>
  stage.admin.patch(path(id), { joined_date: day }).then(({ status }) => expect(status).toBe(200));
const periods = async (id: string) =>
  (await stage.admin.get(historyOf(id))).body.results as {
    status: string;
    role: string;
    valid_from: string;
    valid_to: string | null;
    source: string;
    actor: string | null;
    reason: string | null;
  }[];

const [WHOLE] = readInvariants().filter(({ name }) => name.startsWith('the history of a membership'));
afterEach(async () => expect(await asOwner(WHOLE?.query as string)).toEqual([]));

/** Expected transitions by authority; only the organization may change a disaffiliated membership. */
const ACTIVE = ['undergrad', 'associate'];
const ALUMNI = ['alumni', 'active_alumni', 'lifetime_alumni'];
const EXPECTED: Record<
  'officer' | 'region' | 'organization',
  (from: string, to: string, withReason: boolean) => boolean
> = {
  officer: (from, to) =>
    (ACTIVE.includes(from) && [...ACTIVE, 'alumni', 'inactive'].includes(to)) ||
    (from === 'inactive' && to === 'undergrad'),
  region: (from, to, withReason) =>
    EXPECTED.officer(from, to, withReason) ||
    ([...ACTIVE, ...ALUMNI].includes(from) && ALUMNI.includes(to)) ||
    (withReason && ![from, to].some((status) => ['pnm', 'disaffiliated'].includes(status))),
  organization: (from, to, withReason) =>
    EXPECTED.region(from, to, withReason) ||
    (from === 'pnm' && [...ACTIVE, 'inactive'].includes(to)) ||
    (withReason && (to === 'disaffiliated' || (from === 'disaffiliated' && to !== 'pnm'))),
};

test('the transitions are as expected for every pair, every authority, with and without a reason', () => {
  const may = (
    from: MembershipStatus,
    to: MembershipStatus,
    authority: Authority,
    reason: string | null,
    before: MembershipStatus | null = null,
  ): boolean => {
    try {
      return Boolean(requireTransition({ status: from, before, isTransferred: false }, to, authority, reason));
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
  const wrong = MEMBERSHIP_STATUSES.flatMap((from) =>
    MEMBERSHIP_STATUSES.filter((to) => to !== from).flatMap((to) =>
      AUTHORITY_LEVELS.flatMap((authority) =>
        [null, 'Because.']
          .filter((reason) => may(from, to, authority, reason) !== EXPECTED[authority](from, to, reason !== null))
          .map((reason) => [from, to, authority, reason]),
      ),
    ),
  );
  expect(wrong).toEqual([]);
  expect(canTransition({ status: 'inactive', before: 'alumni', isTransferred: false }, 'alumni', 'officer')).toBe(true);
  expect(canTransition({ status: 'inactive', before: 'alumni', isTransferred: false }, 'undergrad', 'officer')).toBe(
    false,
  );
  // Only the organization may disaffiliate a person again, with a reason.
  const mayDisaffiliate = (authority: Authority, reason: string | null) =>
    may('inactive', 'disaffiliated', authority, reason, 'disaffiliated');
  expect(
    AUTHORITY_LEVELS.map((authority) => [mayDisaffiliate(authority, null), mayDisaffiliate(authority, 'Hazing.')]),
  ).toEqual([
    [false, false],
    [false, false],
    [false, true],
  ]);
  expect(may('inactive', 'undergrad', 'officer', null, 'disaffiliated')).toBe(false);
});

test('a refused transition lists the allowed ones, names missing rights or asks for a reason', async () => {
  const { membershipId } = await inChapter();
  expect(await stage.admin.patch(path(membershipId), { status: 'pnm', reason: 'No.' })).toMatchObject({
    status: 409,
    body: {
      code: 'transition_not_allowed',
      detail: expect.stringContaining(
        'You may change its status to: associate, alumni, active_alumni, lifetime_alumni, disaffiliated, inactive.',
      ),
    },
  });
  expect(await stage.officer.patch(path(membershipId), { status: 'pnm' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('You may change its status to: associate, alumni, inactive.') },
  });
  expect(await stage.officer.patch(path(membershipId), { status: 'lifetime_alumni' })).toMatchObject({
    status: 403,
    body: { detail: expect.stringContaining('admins of the region or organization') },
  });
  expect(await stage.admin.patch(path(membershipId), { status: 'disaffiliated' })).toMatchObject({
    status: 400,
    body: { errors: { reason: [expect.any(String)] } },
  });
});

test('a person who returns gets the status from before they became inactive or disaffiliated', async () => {
  const { membershipId } = await inChapter('member', 'alumni');
  const to = (person: Person, status: string, reason?: string) =>
    stage.as(person).patch(path(membershipId), { status, reason });
  const { officer, regionalAdmin, admin } = stage.world;
  expect((await to(regionalAdmin, 'inactive', 'By mistake.')).status).toBe(200);
  expect((await to(officer, 'undergrad')).status).toBe(403);
  expect((await to(officer, 'alumni')).status).toBe(200);
  expect((await to(admin, 'disaffiliated', 'Hazing.')).status).toBe(200);
  expect((await to(regionalAdmin, 'alumni', 'Back.')).status).toBe(403);
  expect((await to(admin, 'alumni', 'Appeal.')).status).toBe(200);
  expect(await periods(membershipId)).toMatchObject([
    { status: 'alumni', source: 'change', reason: 'Appeal.', actor: admin.userId, valid_to: null },
    { status: 'disaffiliated', source: 'change', reason: 'Hazing.' },
    { status: 'alumni', source: 'change', reason: null, actor: officer.userId },
    { status: 'inactive', source: 'correction', reason: 'By mistake.', actor: regionalAdmin.userId },
    { status: 'alumni', source: 'added', actor: null },
  ]);
});

test('a change in the past keeps its date, and access ends at once', async () => {
  const person = await inChapter('officer');
  const { membershipId } = person;
  await joinedOn(membershipId, '2024-09-01');
  const graduated = { status: 'alumni', effective_on: '2025-05-20', reason: 'Told late.' };
  expect((await stage.admin.patch(path(membershipId), graduated)).body).toMatchObject({
    status: 'alumni',
    role: 'alumni',
  });
  expect((await stage.as(person).patch(path(stage.world.member.membershipId), { pledge_class: 'X' })).status).toBe(403);
  expect(await periods(membershipId)).toMatchObject([
    { status: 'alumni', role: 'alumni', valid_from: '2025-05-20', valid_to: null, reason: 'Told late.' },
    { status: 'undergrad', role: 'officer', valid_from: '2024-09-01', valid_to: '2025-05-20' },
  ]);
  expect(
    await stage.admin.patch(path(membershipId), { status: 'active_alumni', effective_on: '2025-05-19' }),
  ).toMatchObject({
    status: 409,
    body: { code: 'later_change_exists', detail: expect.stringContaining('2025-05-20') },
  });
  expect(
    (await stage.admin.patch(path(membershipId), { status: 'active_alumni', effective_on: '2025-05-20' })).status,
  ).toBe(200);
  expect(await periods(membershipId)).toMatchObject([
    { status: 'active_alumni', valid_from: '2025-05-20', valid_to: null },
    { status: 'alumni', valid_from: '2025-05-20', valid_to: '2025-05-20' },
    { status: 'undergrad' },
  ]);
});

test("changes use the organization's today, and no future day applies yet", async () => {
  const { organizationId } = stage.world;
  await asOwner(`UPDATE organizations SET timezone = 'Pacific/Kiritimati' WHERE id = $1`, [organizationId]);
  const { membershipId } = await inChapter();
  await stage.officer.patch(path(membershipId), { status: 'associate' });
  const today = await days(`(now() AT TIME ZONE 'Pacific/Kiritimati')::date`);
  expect(await periods(membershipId)).toMatchObject([{ valid_from: today }, { valid_from: today, valid_to: today }]);
  await asOwner(`UPDATE organizations SET timezone = 'UTC' WHERE id = $1`, [organizationId]);
});

test('a corrected joined date moves the first period as far as later periods allow', async () => {
  const { membershipId } = await inChapter();
  await joinedOn(membershipId, '2023-09-01');
  await stage.admin.patch(path(membershipId), { status: 'inactive', effective_on: '2024-01-10' });
  await joinedOn(membershipId, '2024-06-01');
  expect(await periods(membershipId)).toMatchObject([
    { valid_from: '2024-01-10' },
    { valid_from: '2024-01-10', valid_to: '2024-01-10' },
  ]);
  await joinedOn(membershipId, '2022-09-01');
  expect((await periods(membershipId))[1]).toMatchObject({ valid_from: '2022-09-01', valid_to: '2024-01-10' });
});

test('a status change in SQL is recorded too, and periods cannot be rewritten', async () => {
  const { membershipId } = await inChapter();
  await asOwner(`UPDATE memberships SET status = 'associate' WHERE id = $1`, [membershipId]);
  expect(await periods(membershipId)).toMatchObject([{ status: 'associate', source: 'unknown', actor: null }, {}]);
  for (const broken of [
    `UPDATE membership_periods SET status = 'alumni' WHERE membership_id = $1 AND valid_to IS NULL`,
    `UPDATE membership_periods SET valid_to = valid_to + 1 WHERE membership_id = $1 AND valid_to IS NOT NULL`,
    `DELETE FROM membership_periods WHERE membership_id = $1 AND valid_to IS NULL`,
    `DELETE FROM membership_periods WHERE membership_id = $1`,
  ])
    await expect(asOwner(broken, [membershipId])).rejects.toMatchObject({ constraint: 'membership_periods_whole' });
});

test('ten concurrent changes leave a consistent history', async () => {
  const { membershipId } = await inChapter();
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      stage.officer.patch(path(membershipId), { status: n % 2 ? 'associate' : 'inactive' }),
    ),
  );
  const done = answers.filter(({ status }) => status === 200);
  expect(answers.every(({ status }) => [200, 403, 409].includes(status))).toBe(true);
  expect(done.length).toBeGreaterThan(0);
  const { count } = (await stage.admin.get(historyOf(membershipId))).body;
  expect(count).toBeLessThanOrEqual(done.length + 1);
});

test('the history is for the member and managers of the chapter, and takes three statements', async () => {
  const person = await inChapter();
  const { membershipId } = person;
  for (const reader of [person, stage.world.officer, stage.world.regionalAdmin, stage.world.admin])
    expect((await stage.as(reader).get(historyOf(membershipId))).status).toBe(200);
  for (const reader of [stage.world.member, stage.world.otherOfficer])
    expect((await stage.as(reader).get(historyOf(membershipId))).status).toBe(403);
  expect((await stage.nobody.get(historyOf(membershipId))).status).toBe(401);
  await expectNowhere(stage.other.member.membershipId, (id) => stage.admin.get(historyOf(id)));
  const count = () => countStatements(() => stage.officer.get(historyOf(membershipId)));
  const before = await count();
  for (const status of ['associate', 'undergrad', 'inactive'] as MembershipStatus[])
    await stage.officer.patch(path(membershipId), { status });
  expect([before, await count()]).toEqual([before, before]);
});

test.each([
  [{ effective_on: '2025-01-01' }, 'effective_on'],
  [{ reason: 'Why not' }, 'reason'],
  [{ status: 'associate', effective_on: 'tomorrow' }, 'effective_on'],
  [{ status: 'associate', reason: '' }, 'reason'],
  [{ status: 'associate', reason: 'x'.repeat(501) }, 'reason'],
])('%j is refused by name', async (change, field) => {
  const { status, body } = await stage.officer.patch(path(stage.world.member.membershipId), change);
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});

describe('a change scheduled for a later day', () => {
  const tomorrow = () => days(`(now() AT TIME ZONE 'UTC')::date + 1`);
  const today = () => days(`(now() AT TIME ZONE 'UTC')::date`);
  const scheduled = (id: string) => `${path(id)}scheduled-changes/`;
  const ask = async (id: string, change: object, client = stage.admin) =>
    client.patch(path(id), { effective_on: await tomorrow(), ...change });
  /** Moves the scheduled changes of a membership one day earlier. */
  const theDayComes = (id: string) =>
    asOwner('UPDATE membership_scheduled_changes SET effective_on = effective_on - 1 WHERE membership_id = $1', [id]);
  const run = async () => {
    const input = { organizationId: stage.world.organizationId, day: await today() };
    let applied = 0;
    while (await applyNextChange(input)) applied += 1;
    return applied;
  };

  test("a scheduled change is listed, changes nothing before its day, and is applied once in its requester's name", async () => {
    const { membershipId } = await inChapter('officer');
    const answer = await ask(membershipId, { status: 'alumni', reason: 'Commencement.' });
    expect(answer).toMatchObject({
      status: 202,
      body: { state: 'scheduled', status: 'alumni', role: null, membership: membershipId },
    });
    expect(await run()).toBe(0);
    expect((await stage.admin.get(path(membershipId))).body).toMatchObject({ status: 'undergrad', version: 1 });
    expect((await stage.officer.get(`${scheduled(membershipId)}?state=scheduled`)).body.results).toMatchObject([
      { id: answer.body.id },
    ]);
    await theDayComes(membershipId);
    expect(await Promise.all([run(), run()])).not.toContain(undefined);
    expect(await run()).toBe(0);
    expect(await periods(membershipId)).toMatchObject([
      {
        status: 'alumni',
        role: 'alumni',
        source: 'scheduled',
        reason: 'Commencement.',
        actor: stage.world.admin.userId,
        valid_from: await today(),
      },
      { status: 'undergrad', role: 'officer' },
    ]);
    expect((await stage.admin.get(scheduled(membershipId))).body.results).toMatchObject([{ state: 'applied' }]);
  });

  test('a scheduled change is checked again on its day, and a refused one does not stop others', async () => {
    const [{ membershipId }, other] = [await inChapter(), await inChapter()];
    expect((await ask(membershipId, { status: 'associate' }, stage.officer)).status).toBe(202);
    expect((await ask(other.membershipId, { role: 'officer' })).status).toBe(202);
    await stage.admin.patch(path(membershipId), { status: 'alumni' });
    await stage.admin.patch(path(other.membershipId), { status: 'inactive' });
    for (const id of [membershipId, other.membershipId]) await theDayComes(id);
    expect(await run()).toBe(2);
    for (const [id, refusal] of [
      [membershipId, 'forbidden'],
      [other.membershipId, 'not_in_active_standing'],
    ] as const)
      expect((await stage.admin.get(scheduled(id))).body.results).toMatchObject([{ state: 'refused', refusal }]);
    expect((await stage.admin.get(path(membershipId))).body.status).toBe('alumni');
  });

  test("an officer's scheduled change is refused once its member holds an office", async () => {
    const [raised, lowered] = [await inChapter(), await inChapter()];
    expect((await ask(raised.membershipId, { status: 'inactive' }, stage.officer)).status).toBe(202);
    expect((await ask(lowered.membershipId, { role: 'alumni' }, stage.officer)).status).toBe(202);
    for (const { membershipId } of [raised, lowered]) {
      expect((await stage.admin.patch(path(membershipId), { role: 'officer' })).status).toBe(200);
      await theDayComes(membershipId);
    }
    expect(await run()).toBe(2);
    for (const { membershipId } of [raised, lowered]) {
      expect((await stage.admin.get(path(membershipId))).body).toMatchObject({ status: 'undergrad', role: 'officer' });
      expect((await stage.admin.get(scheduled(membershipId))).body.results).toMatchObject([
        { state: 'refused', refusal: 'forbidden' },
      ]);
    }
  });

  test('a scheduled change is cancelled once, by a person who could request it', async () => {
    const { membershipId } = await inChapter();
    const { body } = await ask(membershipId, { status: 'disaffiliated', reason: 'Hazing.' });
    const cancel = (client: typeof stage.admin) => client.post(`${scheduled(membershipId)}${body.id}/cancel/`);
    expect((await cancel(stage.officer)).status).toBe(403);
    expect((await cancel(stage.as(stage.world.otherOfficer))).status).toBe(403);
    const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(stage.admin)));
    expect(statuses(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    await theDayComes(membershipId);
    expect(await run()).toBe(0);
    const { membershipId: elsewhere } = stage.world.member;
    expect((await stage.admin.post(`${scheduled(elsewhere)}${body.id}/cancel/`)).status).toBe(404);
  });

  test('a scheduled change is one a day, of status and role only, and at most five years ahead', async () => {
    const { membershipId } = await inChapter();
    expect((await ask(membershipId, { status: 'associate' })).status).toBe(202);
    expect(await ask(membershipId, { status: 'alumni' })).toMatchObject({
      status: 409,
      body: { code: 'change_scheduled' },
    });
    for (const [change, field] of [
      [{ status: 'alumni', pledge_class: 'X' }, 'pledge_class'],
      [{ status: 'alumni', effective_on: '2090-01-01' }, 'effective_on'],
      [{ status: 'disaffiliated', effective_on: '2028-01-01' }, 'reason'],
    ] as const)
      expect(await ask(membershipId, change)).toMatchObject({
        status: 400,
        body: { errors: { [field]: [expect.any(String)] } },
      });
    expect(
      (await ask(membershipId, { status: 'lifetime_alumni', effective_on: '2028-01-01' }, stage.officer)).status,
    ).toBe(403);
  });
});

describe('the roster of a day', () => {
  const rosterOn = (query: string, client = stage.admin) =>
    client.get(`/api/chapters/${stage.other.chapterId}/members/?page_size=100&${query}`);
  const admin = () => stage.as(stage.other.admin);
  const there = () => aMember(stage.other.organizationId, stage.other.chapterId);

  test('the roster of a day shows the state at its end, including later corrections', async () => {
    const [early, late] = [await there(), await there()];
    const edit = (id: string, change: object) => admin().patch(path(id), change);
    await edit(early.membershipId, { joined_date: '2023-09-01' });
    await edit(late.membershipId, { joined_date: '2024-09-01' });
    await edit(early.membershipId, { status: 'alumni', effective_on: '2025-03-01' });
    const on = async (query: string) =>
      (await rosterOn(query, admin())).body.results.map(({ id, status }: { id: string; status: string }) => [
        id,
        status,
      ]);
    const ids = [early.membershipId, late.membershipId];
    const [first, second] = ids as [string, string];
    expect(await on('on=2023-08-31')).toEqual([]);
    expect(await on('on=2023-09-01')).toEqual([[first, 'undergrad']]);
    expect(new Map(await on('on=2025-02-28'))).toEqual(new Map(ids.map((id) => [id, 'undergrad'])));
    expect(new Map(await on('on=2025-03-01'))).toEqual(
      new Map([
        [first, 'alumni'],
        [second, 'undergrad'],
      ]),
    );
    expect(await on('on=2025-03-01&status=alumni')).toEqual([[first, 'alumni']]);
    expect(await on('on=2025-03-01&status=undergrad&search=last&ordering=-joined_date')).toEqual([
      [second, 'undergrad'],
    ]);
    expect(await on('on=2025-02-28&ordering=status')).toHaveLength(2);
    const now = await days(`(now() AT TIME ZONE 'UTC')::date`);
    for (const query of ['', 'ordering=-joined_date', 'role=officer', 'search=a']) {
      const [live, asOf] = [await rosterOn(query, admin()), await rosterOn(`on=${now}&${query}`, admin())];
      expect(asOf.body.count).toBe(live.body.count);
      expect(asOf.body.results).toEqual(live.body.results);
    }
  });

  test('the roster of a past day costs no more statements than the present one, and a day beyond tomorrow is refused', async () => {
    const count = (query: string) => countStatements(() => rosterOn(query, admin()));
    const before = [await count(''), await count('on=2025-03-01'), await count('on=2025-03-01&ordering=status')];
    for (let n = 0; n < 10; n += 1) await there();
    expect([await count(''), await count('on=2025-03-01'), await count('on=2025-03-01&ordering=status')]).toEqual(
      before,
    );
    expect(before[1]).toBe(before[0]);
    expect((await rosterOn('on=2199-01-01', admin())).body.errors).toHaveProperty('on');
  });
});
