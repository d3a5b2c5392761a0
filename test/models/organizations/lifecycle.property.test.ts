/**
 * Random walks through changes, crossings, transfers, rollovers and offices of memberships, and suspensions of their chapters, with
 * several actors at once, against a model: some order of the steps explains the resulting state. PROPERTY_SEED=<seed> repeats a
 * walk, PROPERTY_STEPS=<n> sets another number of steps.
 */
import fc from 'fast-check';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { readInvariants } from '../../../models/finances/checkLedger.js';
import { reportMembers, totalOf } from '../../../models/organizations/reports/memberReport.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { casesOf, SEED } from '../../support/seed.js';
import type { MemberStep } from '../../support/walk/members/deeds.js';
import { MemberWalker } from '../../support/walk/members/memberWalker.js';
import { of } from '../../support/walk/walks.js';

const STEPS = Number(process.env['PROPERTY_STEPS'] ?? casesOf({ test: 120, release: 300 }));
/** Number of simultaneous actors: few enough to try every order. */
const AT_ONCE = 4;

const which = fc.nat({ max: 1_000 });
const chapter = fc.nat({ max: 2 });
const status = fc.constantFrom(
  'pnm',
  'undergrad',
  'undergrad',
  'associate',
  'alumni',
  'active_alumni',
  'lifetime_alumni',
  'disaffiliated',
  'inactive',
);
const role = fc.constantFrom('member', 'officer', 'president', 'president', 'advisor', 'alumni');
const hand = fc.constantFrom('officer', 'region', 'organization');
const day = fc.oneof(
  { weight: 4, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.integer({ min: -59, max: 0 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 4 }) },
);
const apart: fc.Arbitrary<MemberStep> = fc.oneof(
  { weight: 3, arbitrary: of('join', { chapter, status: fc.constantFrom('pnm', 'undergrad', 'undergrad', 'alumni') }) },
  { weight: 6, arbitrary: of('change', { who: which, hand, status, day, reason: fc.boolean() }) },
  { weight: 4, arbitrary: of('role', { who: which, role, day }) },
  { weight: 4, arbitrary: of('transfer', { who: which, to: chapter, day }) },
  { weight: 3, arbitrary: of('arrive', { which }) },
  { weight: 1, arbitrary: of('cancel', { which }) },
  { weight: 2, arbitrary: of('term', { who: which }) },
  { weight: 1, arbitrary: of('endTerm', { which }) },
  { weight: 1, arbitrary: of('suspend', { chapter }) },
  { weight: 2, arbitrary: of('reactivate', { chapter }) },
  { weight: 3, arbitrary: of('handOver', { which, successor: which }) },
) as fc.Arbitrary<MemberStep>;
/** A run of many transactions is not mixed with other steps. */
const alone = fc.oneof(of('rollOver', {}), of('revert', {})) as fc.Arbitrary<MemberStep>;
const round = fc.oneof(
  { weight: 12, arbitrary: fc.array(apart, { minLength: 2, maxLength: AT_ONCE }) },
  { weight: 1, arbitrary: alone.map((step) => [step]) },
);

const RULES = readInvariants().filter(({ examines }) => examines.startsWith('memberships'));

afterAll(async () => {
  await closeOwner();
  await sequelize.close();
});

async function expectSound(walker: MemberWalker): Promise<void> {
  expect(await walker.actual()).toEqual(walker.expected());
  for (const { query } of RULES) {
    const broken = await asOwner<{ organization_id: string }>(query);
    expect(broken.filter(({ organization_id }) => organization_id === walker.organizationId)).toEqual([]);
  }
}

/** Checked by the model at both ends, for any steps between. */
async function expectSums(walker: MemberWalker, from: number, to: number): Promise<void> {
  const [days] = await asOwner<{ from: string; to: string }>(
    `SELECT to_char((now() AT TIME ZONE 'UTC')::date + $1::int, 'YYYY-MM-DD') AS "from",
            to_char((now() AT TIME ZONE 'UTC')::date + $2::int, 'YYYY-MM-DD') AS "to"`,
    [from, to],
  );
  const ends = { from: days?.from as string, to: days?.to as string };
  const report = await inTenant(walker.organizationId, () =>
    reportMembers({ ...ends, groupBy: 'chapter', chapters: null }),
  );
  const strangers = to === 0 ? await walker.strangers() : {};
  const [start, end] = [walker.standing(from), walker.standing(to)];
  for (const row of report) {
    const sum = (ways: Record<string, number>) => Object.values(ways).reduce((all, one) => all + one, 0);
    expect(row.start + sum(row.in) - sum(row.out)).toBe(row.end);
    const group = row.group as string;
    expect([group, row.start, row.end]).toEqual([
      group,
      start[group] ?? 0,
      (end[group] ?? 0) + (strangers[group] ?? 0),
    ]);
  }
  expect(totalOf(report).start).toBe(Object.values(start).reduce((all, one) => all + one, 0));
}

test('history, access, offices, log and report equal the model after any changes, in any order and at once', async () => {
  const steps = fc.sample(round, { seed: SEED, numRuns: STEPS });
  const walker = await MemberWalker.begin();
  await walker.take([
    { do: 'join', chapter: 0, status: 'undergrad' },
    { do: 'join', chapter: 0, status: 'undergrad' },
    { do: 'join', chapter: 1, status: 'undergrad' },
  ]);
  let stepsTaken = 0;
  try {
    for (const [n, together] of steps.entries()) {
      if (stepsTaken >= STEPS || !(await walker.isToday())) break;
      await walker.take(together);
      stepsTaken += together.length;
      if (n % 10 === 9) await expectSound(walker);
    }
    await expectSound(walker);
    for (const [from, to] of [
      [-61, 0],
      [-40, -10],
      [-20, 0],
    ] as const)
      await expectSums(walker, from, to);
  } catch (error) {
    throw new Error(`PROPERTY_SEED=${SEED} PROPERTY_STEPS=${STEPS}: after ${stepsTaken} steps`, { cause: error });
  }
}, 600_000);
