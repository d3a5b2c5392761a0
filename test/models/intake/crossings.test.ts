/** The fields that a crossing carries, against a second implementation of the specification: nothing is overwritten or carried twice. */
import fc from 'fast-check';
import '../../../models/wireAreas.js';
import { sequelize } from '../../../models/database/connection.js';
import { inTenant } from '../../../models/database/tenancy.js';
import { carryOver, welcome } from '../../../models/intake/crossings/crossingSteps.js';
import { revertCrossing } from '../../../models/intake/crossings/revertCrossing.js';
import { lockProspect, moveProspect } from '../../../models/intake/pnm/moveProspect.js';
import { during } from '../../support/during.js';
import { asOwner, closeOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlaceholder, aWorld, type Person, type World } from '../../support/world.js';

let world: World;
beforeAll(async () => {
  world = await aWorld({ members: 0 });
  await asOwner(`UPDATE organizations SET timezone = 'America/New_York' WHERE id = $1`, [world.organizationId]);
});
afterAll(async () => {
  await sequelize.close();
  await closeOwner();
});

interface Answers {
  birth_date: string | null;
  expected_graduation_semester: string | null;
  expected_graduation_year: number | null;
  phone_number: string | null;
  permanent_address: string | null;
}
interface MemberRecord {
  date_of_birth: string | null;
  permanent_address_line1: string | null;
  phone_number: string | null;
  graduation_season: string | null;
  graduation_year: number | null;
  crossing_date: string | null;
  crossing_semester: string | null;
}
const NOTHING: Answers = {
  birth_date: null,
  expected_graduation_semester: null,
  expected_graduation_year: null,
  phone_number: null,
  permanent_address: null,
};
const EMPTY: MemberRecord = {
  date_of_birth: null,
  permanent_address_line1: null,
  phone_number: null,
  graduation_season: null,
  graduation_year: null,
  crossing_date: null,
  crossing_semester: null,
};

const set = (row: object) =>
  Object.keys(row)
    .map((name, n) => `${name} = $${n + 2}`)
    .join(', ');

async function aProspect(answers: Partial<Answers>, record: Partial<MemberRecord>) {
  const person = await aMember(world.organizationId, world.chapterId, 'member', 'pnm');
  const { date_of_birth, permanent_address_line1, phone_number, ...ofMembership } = { ...EMPTY, ...record };
  const [profile] = await asOwner<{ id: string }>(
    `UPDATE pnm_profiles SET stage = 'in_progress', ${set({ ...NOTHING, ...answers })} WHERE membership_id = $1 RETURNING id`,
    [person.membershipId, ...Object.values({ ...NOTHING, ...answers })],
  );
  await asOwner(`UPDATE memberships SET ${set(ofMembership)} WHERE id = $1`, [
    person.membershipId,
    ...Object.values(ofMembership),
  ]);
  await asOwner('UPDATE member_profiles SET date_of_birth = $2, permanent_address_line1 = $3 WHERE user_id = $1', [
    person.userId,
    date_of_birth,
    permanent_address_line1,
  ]);
  await asOwner('UPDATE users SET phone_number = $2 WHERE id = $1', [person.userId, phone_number]);
  return { ...person, pnm: profile?.id as string };
}

const inOrganization = <T>(work: () => Promise<T>): Promise<T> => inTenant(world.organizationId, work);

/** Completes a prospect. @returns the id of the crossing */
async function complete(pnm: string, crossedAt: string): Promise<string> {
  await inOrganization(async () => moveProspect(await lockProspect(pnm), { to: 'completed', crossedAt }, 'officer'));
  const [crossing] = await asOwner<{ id: string }>(
    'SELECT id FROM crossings WHERE profile_id = $1 AND reverted_at IS NULL',
    [pnm],
  );
  return crossing?.id as string;
}
const carry = (id: string) => inOrganization(() => carryOver(id));

async function readRecord({ userId, membershipId }: Person): Promise<MemberRecord> {
  const [found] = await asOwner<MemberRecord>(
    `SELECT p.date_of_birth::text, p.permanent_address_line1, u.phone_number, m.graduation_season, m.graduation_year,
            m.crossing_date::text, m.crossing_semester
       FROM memberships m JOIN users u ON u.id = m.user_id JOIN member_profiles p ON p.user_id = m.user_id
      WHERE m.id = $1 AND u.id = $2`,
    [membershipId, userId],
  );
  return found as MemberRecord;
}
const readFates = async (crossing: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    (
      await asOwner<{ field: string; fate: string }>('SELECT field, fate FROM crossing_fields WHERE crossing_id = $1', [
        crossing,
      ])
    ).map(({ field, fate }) => [field, fate]),
  );

/** A second implementation, written from the specification alone. */
function expected(answers: Answers, record: MemberRecord, crossedAt: string): MemberRecord {
  const result = { ...record };
  if (answers.birth_date && !record.date_of_birth) result.date_of_birth = answers.birth_date;
  const address = answers.permanent_address?.trim();
  if (address && Array.from(address).length <= 255 && !record.permanent_address_line1?.trim())
    result.permanent_address_line1 = address;
  const phone = answers.phone_number?.trim();
  if (phone && !record.phone_number?.trim()) result.phone_number = phone;
  const year = answers.expected_graduation_year;
  const season = SEMESTERS.find(([text]) => text === answers.expected_graduation_semester)?.[1];
  const ending = year === null || !season ? null : season === 'FALL' ? year + 1 : year;
  if (
    season &&
    ending !== null &&
    ending <= 2100 &&
    record.graduation_year === null &&
    record.graduation_season === null
  )
    Object.assign(result, { graduation_season: season, graduation_year: ending });
  if (!record.crossing_date)
    result.crossing_date = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' }).format(
      new Date(crossedAt),
    );
  if (!record.crossing_semester?.trim()) {
    const [calendar, month] = (result.crossing_date as string).split('-').map(Number) as [number, number];
    result.crossing_semester = `${month < 6 ? 'Spring' : month < 8 ? 'Summer' : 'Fall'} ${calendar}`;
  }
  return result;
}

const SEMESTERS: [string | null, string | null][] = [
  ['Fall', 'FALL'],
  ['fa 26', 'FALL'],
  ['Spr.', 'SPRING'],
  ['SUMMER term', 'SUMMER'],
  ['winter', null],
  ['Spring or Fall', null],
  [' ', null],
  [null, null],
];
const maybe = <T>(values: readonly T[]) => fc.constantFrom<T | null>(null, ...values);
const answersArbitrary: fc.Arbitrary<Answers> = fc.record({
  birth_date: maybe(['2005-04-12']),
  expected_graduation_semester: fc.constantFrom(...SEMESTERS.map(([text]) => text)),
  expected_graduation_year: maybe([1900, 2026, 2099, 2100]),
  phone_number: maybe(['+1 555 0100', ' ']),
  permanent_address: maybe(['1 Main St', '🏠'.repeat(255), 'x'.repeat(256), '  ']),
});
const records: fc.Arbitrary<MemberRecord> = fc
  .record({
    date_of_birth: maybe(['2004-01-01']),
    permanent_address_line1: maybe(['2 Side St', ' ']),
    phone_number: maybe(['+1 555 0199', '']),
    graduation: fc.constantFrom<[string | null, number | null]>([null, null], ['SPRING', 2030], [null, 2031]),
    crossing_date: maybe(['2019-06-30', '2020-12-31']),
    crossing_semester: maybe(['Spring 2019', ' ']),
  })
  .map(({ graduation: [graduation_season, graduation_year], ...others }) => ({
    ...others,
    graduation_season,
    graduation_year,
  }));
const moments = fc.constantFrom(
  '2025-06-01T03:59:00.000Z',
  '2025-06-01T04:00:00.000Z',
  '2026-01-01T04:30:00.000Z',
  '2025-08-01T12:00:00.000Z',
);

test('a crossing fills empty fields only, and a second run writes nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      answersArbitrary,
      records,
      moments,
      fc.boolean(),
      async (answers, record, crossedAt, editsBetween) => {
        const before = editsBetween ? EMPTY : record;
        const person = await aProspect(answers, before);
        const crossing = await complete(person.pnm, crossedAt);
        // A value that the member enters between the crossing and its workflow is kept too.
        if (editsBetween) await edit(person, record);
        await carry(crossing);
        const after = await readRecord(person);
        expect(after).toEqual(expected(answers, record, crossedAt));
        const fates = await readFates(crossing);
        await carry(crossing);
        expect([await readRecord(person), await readFates(crossing)]).toEqual([after, fates]);
      },
    ),
    { numRuns: 60 },
  );
});

async function edit({ userId, membershipId }: Person, record: MemberRecord): Promise<void> {
  const { date_of_birth, permanent_address_line1, phone_number, ...ofMembership } = record;
  await asOwner(`UPDATE memberships SET ${set(ofMembership)} WHERE id = $1`, [
    membershipId,
    ...Object.values(ofMembership),
  ]);
  await asOwner('UPDATE member_profiles SET date_of_birth = $2, permanent_address_line1 = $3 WHERE user_id = $1', [
    userId,
    date_of_birth,
    permanent_address_line1,
  ]);
  await asOwner('UPDATE users SET phone_number = $2 WHERE id = $1', [userId, phone_number]);
}

test('each field of a crossing is recorded with its outcome and without its value', async () => {
  const fatesOf = async (answers: Partial<Answers>, record: Partial<MemberRecord> = {}) => {
    const { pnm } = await aProspect(answers, record);
    const crossing = await complete(pnm, '2025-03-01T12:00:00.000Z');
    await carry(crossing);
    return readFates(crossing);
  };
  const fall = { expected_graduation_semester: 'Fall' };
  expect(await fatesOf({})).toEqual({
    date_of_birth: 'source_empty',
    graduation: 'source_empty',
    phone_number: 'source_empty',
    permanent_address_line1: 'source_empty',
    ethnicity: 'source_empty',
    crossing_date: 'copied',
    crossing_semester: 'copied',
  });
  expect(await fatesOf({ birth_date: '1899-12-31' })).toMatchObject({ date_of_birth: 'out_of_range' });
  expect(await fatesOf({ birth_date: '2005-01-01' }, { date_of_birth: '2005-01-02' })).toMatchObject({
    date_of_birth: 'kept_member_value',
  });
  expect(await fatesOf({ permanent_address: 'x'.repeat(256) })).toMatchObject({ permanent_address_line1: 'too_long' });
  expect(await fatesOf({ ...fall, expected_graduation_year: 2100 })).toMatchObject({ graduation: 'out_of_range' });
  expect(await fatesOf({ expected_graduation_semester: 'winter', expected_graduation_year: 2027 })).toMatchObject({
    graduation: 'season_not_recognised',
  });
  expect(await fatesOf({ ...fall, expected_graduation_year: 2027 }, { graduation_year: 2031 })).toMatchObject({
    graduation: 'kept_member_value',
  });
  expect(await fatesOf(fall)).toMatchObject({ graduation: 'source_empty' });
});

test('a value that the member saves during the crossing is kept', async () => {
  const person = await aProspect({ birth_date: '2005-04-12', permanent_address: '1 Main St' }, {});
  const crossing = await complete(person.pnm, '2025-03-01T12:00:00.000Z');
  const saving = `UPDATE member_profiles SET date_of_birth = '2004-01-01' WHERE user_id = $1`;
  await during(saving, [person.userId], [() => carry(crossing)]);
  expect(await readRecord(person)).toMatchObject({ date_of_birth: '2004-01-01', permanent_address_line1: '1 Main St' });
  expect(await readFates(crossing)).toMatchObject({
    date_of_birth: 'kept_member_value',
    permanent_address_line1: 'copied',
  });
});

test('a crossing is carried in five database messages, including the begin and the end of its transaction', async () => {
  const { pnm } = await aProspect({ birth_date: '2005-04-12', phone_number: '+1 555 0100' }, {});
  const crossing = await complete(pnm, '2025-03-01T12:00:00.000Z');
  expect(await countStatements(async () => expect(await carry(crossing)).toMatchObject({ step: 'welcomed' }))).toBe(5);
  const [row] = await asOwner('SELECT welcomed_at IS NOT NULL AS welcomed FROM crossings WHERE id = $1', [crossing]);
  expect(row).toEqual({ welcomed: true });
});

test('a field that was carried once is not carried again after a revert and a second crossing', async () => {
  const person = await aProspect({ birth_date: '2005-04-12', phone_number: '+1 555 0100' }, {});
  const first = await complete(person.pnm, '2025-03-01T12:00:00.000Z');
  await carry(first);
  await asOwner('UPDATE member_profiles SET date_of_birth = NULL WHERE user_id = $1', [person.userId]);
  await inOrganization(() => revertCrossing(first, undefined));
  const [revertedState] = await asOwner(
    'SELECT m.status, p.stage FROM memberships m JOIN pnm_profiles p ON p.membership_id = m.id WHERE p.id = $1',
    [person.pnm],
  );
  expect(revertedState).toEqual({ status: 'pnm', stage: 'in_progress' });
  const second = await complete(person.pnm, '2025-04-01T12:00:00.000Z');
  expect(second).not.toBe(first);
  await carry(second);
  expect(await readRecord(person)).toMatchObject({
    date_of_birth: null,
    phone_number: '+1 555 0100',
    crossing_date: '2025-03-01',
  });
  expect(await carry(first)).toMatchObject({ step: 'reverted' });
});

test('of ten concurrent completions one crosses the prospect', async () => {
  const { pnm, membershipId } = await aProspect({}, {});
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      inOrganization(async () => moveProspect(await lockProspect(pnm), { to: 'completed' }, 'officer')).then(
        () => 'crossed',
        ({ code }: { code: string }) => code,
      ),
    ),
  );
  expect(answers.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'already_crossed'), 'crossed']);
  expect(await asOwner('SELECT FROM crossings WHERE membership_id = $1', [membershipId])).toHaveLength(1);
});

test('a prospect who becomes a member on another path has crossed, and one who is made inactive is rejected', async () => {
  const { membershipId, pnm } = await aProspect({}, {});
  await asOwner(`UPDATE memberships SET status = 'associate' WHERE id = $1`, [membershipId]);
  expect(
    await asOwner('SELECT stage, crossed_at IS NOT NULL AS crossed FROM pnm_profiles WHERE id = $1', [pnm]),
  ).toEqual([{ stage: 'completed', crossed: true }]);
  expect(
    await asOwner(
      `SELECT process FROM outbox o JOIN crossings c ON o.workflow_id = 'crossing/' || c.id WHERE c.membership_id = $1`,
      [membershipId],
    ),
  ).toEqual([{ process: 'cross' }]);
  const other = await aProspect({}, {});
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [other.membershipId]);
  expect(await asOwner('SELECT stage FROM pnm_profiles WHERE id = $1', [other.pnm])).toEqual([{ stage: 'rejected' }]);
});

test('a telephone number waits until the prospect has an account and is copied then', async () => {
  const placeholder = await aPlaceholder(world.organizationId);
  const [membership] = await asOwner<{ id: string }>(
    `INSERT INTO memberships (organization_id, user_id, chapter_id, status) VALUES ($1, $2, $3, 'pnm') RETURNING id`,
    [world.organizationId, placeholder, world.chapterId],
  );
  const membershipId = membership?.id as string;
  const [profile] = await asOwner<{ id: string }>(
    `UPDATE pnm_profiles SET stage = 'in_progress', phone_number = '+1 555 0142' WHERE membership_id = $1 RETURNING id`,
    [membershipId],
  );
  const crossing = await complete(profile?.id as string, '2025-03-01T12:00:00.000Z');
  await carry(crossing);
  await inOrganization(() => welcome(crossing, false));
  expect(await readFates(crossing)).toMatchObject({ phone_number: 'awaits_account' });
  const account = await aMember(world.organizationId, world.otherChapterId);
  await asOwner('UPDATE memberships SET user_id = $2 WHERE id = $1', [membershipId, account.userId]);
  await carry(crossing);
  expect(await readFates(crossing)).toMatchObject({ phone_number: 'copied' });
  expect(await asOwner('SELECT phone_number FROM users WHERE id = $1', [account.userId])).toEqual([
    { phone_number: '+1 555 0142' },
  ]);
});
