/** Tests the completeness of members' records: which fields count, for whom, and who reads it. */
import fc from 'fast-check';
import { inTenant } from '../../../models/database/tenancy.js';
import {
  COMPLETENESS_FIELDS,
  type CountedField,
} from '../../../models/organizations/completeness/CompletenessConfig.js';
import { replaceConfig } from '../../../models/organizations/completeness/config.js';
import { readCompleteness } from '../../../models/organizations/completeness/readCompleteness.js';
import { MEMBERSHIP_STATUSES, type MembershipStatus } from '../../../models/organizations/vocabulary.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aPlaceholder, type Person } from '../../support/world.js';

type Field = (typeof COMPLETENESS_FIELDS)[number];

const stage = apiWorld();
const { world, other } = stage;
const config = () => `/api/organizations/${world.organizationId}/completeness-config/`;
const ofMember = (id: string) => `/api/memberships/${id}/completeness/`;
const ofChapter = (id: string) => `/api/chapters/${id}/completeness/`;
const one = (field: Field, more: Partial<CountedField> = {}): CountedField => ({
  field,
  weight: 1,
  statuses: [...MEMBERSHIP_STATUSES],
  ...more,
});
const here = <T>(work: () => Promise<T>) => inTenant(world.organizationId, work);
const count = (fields: CountedField[]) => here(() => replaceConfig({ fields }));
const reckoned = ({ membershipId }: { membershipId: string }) => here(() => readCompleteness(membershipId));

/** Where each field is stored, with a value; a primary address proved by no other person needs no row. */
const PLACES: Record<Exclude<Field, 'verified_email'>, [table: string, columns: Record<string, unknown>]> = {
  preferred_name: ['member_profiles', { preferred_name: 'Sam' }],
  date_of_birth: ['member_profiles', { date_of_birth: '2005-04-12' }],
  permanent_address: [
    'member_profiles',
    { permanent_address_line1: '1 Main Street', city: 'Springfield', postal_code: '12345' },
  ],
  phone_number: ['users', { phone_number: '+1 555 0100' }],
  joined_date: ['memberships', { joined_date: '2024-09-01' }],
  graduation_year: ['memberships', { graduation_year: 2027 }],
  graduation_season: ['memberships', { graduation_year: 2027, graduation_season: 'FALL' }],
  pledge_class: ['memberships', { pledge_class: 'Beta' }],
  line_number: ['memberships', { line_number: 0 }],
  crossing_semester: ['memberships', { crossing_semester: 'Fall 2024' }],
  crossing_date: ['memberships', { crossing_date: '2024-11-02' }],
};
const STORED = Object.keys(PLACES) as (keyof typeof PLACES)[];

async function write({ membershipId, userId }: Person, table: string, columns: Record<string, unknown>): Promise<void> {
  const names = Object.keys(columns);
  const key = { users: 'id = $1', memberships: 'id = $1', member_profiles: 'user_id = $1' }[table] as string;
  await asOwner(`UPDATE ${table} SET ${names.map((name, n) => `${name} = $${n + 2}`).join(', ')} WHERE ${key}`, [
    table === 'memberships' ? membershipId : userId,
    ...names.map((name) => columns[name]),
  ]);
}

const emptied = (columns: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, null]));

/** Creates a person with only these fields. */
async function leave(person: Person, present: readonly Field[]): Promise<void> {
  const merged: Record<string, Record<string, unknown>> = {};
  for (const field of STORED) merged[PLACES[field][0]] = { ...merged[PLACES[field][0]], ...emptied(PLACES[field][1]) };
  for (const field of STORED.filter((name) => present.includes(name)))
    Object.assign(merged[PLACES[field][0]] as object, PLACES[field][1]);
  for (const [table, columns] of Object.entries(merged)) await write(person, table, columns);
}

test('every field of the whitelist counts, and half an address is none', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  expect([...STORED, 'verified_email'].sort()).toEqual([...COMPLETENESS_FIELDS].sort());
  await leave(person, []);
  for (const field of STORED) {
    await count([one(field)]);
    expect([field, await reckoned(person)]).toEqual([field, { percent: 0, fields: [{ field, is_present: false }] }]);
    const [table, columns] = PLACES[field];
    await write(person, table, columns);
    expect([field, await reckoned(person)]).toEqual([field, { percent: 100, fields: [{ field, is_present: true }] }]);
    await write(person, table, emptied(columns));
  }
  await count([one('permanent_address'), one('phone_number')]);
  await write(person, 'member_profiles', { permanent_address_line1: '1 Main Street', city: 'Springfield' });
  await write(person, 'users', { phone_number: ' ' });
  expect((await reckoned(person)).percent).toBe(0);
});

test('a primary address counts if it is proven or no other person has proven it, and not that of an invited person', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  await count([one('verified_email')]);
  expect((await reckoned(person)).percent).toBe(100);
  await asOwner('DELETE FROM user_emails WHERE user_id = $1', [person.userId]);
  await asOwner(
    'INSERT INTO user_emails (user_id, email, is_verified) SELECT id, email, false FROM users WHERE id = $1',
    [person.userId],
  );
  expect((await reckoned(person)).percent).toBe(0);
  const [invited] = await asOwner<{ id: string }>(
    'INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3) RETURNING id',
    [world.organizationId, await aPlaceholder(world.organizationId), world.chapterId],
  );
  expect((await reckoned({ membershipId: invited?.id as string })).percent).toBe(0);
});

test('the completeness equals a plain calculation for random fields and weights', async () => {
  const person = await aMember(world.organizationId, world.chapterId);
  const fields = fc.uniqueArray(
    fc.record({
      field: fc.constantFrom(...STORED),
      weight: fc.integer({ min: 1, max: 100 }),
      statuses: fc.subarray<MembershipStatus>([...MEMBERSHIP_STATUSES], { minLength: 1 }),
    }),
    { selector: ({ field }) => field },
  );
  await fc.assert(
    fc.asyncProperty(fields, fc.subarray(STORED), async (counted, present) => {
      await leave(person, present);
      // A season is stored together with its year.
      const there = new Set<Field>(present.includes('graduation_season') ? [...present, 'graduation_year'] : present);
      await count(counted);
      const applicable = counted.filter(({ statuses }) => statuses.includes('undergrad'));
      const weigh = (list: CountedField[]) => list.reduce((sum, { weight }) => sum + weight, 0);
      const has = applicable.filter(({ field }) => there.has(field));
      expect(await reckoned(person)).toEqual({
        percent: applicable.length === 0 ? 100 : Math.floor((100 * weigh(has)) / weigh(applicable)),
        fields: applicable.map(({ field }) => ({ field, is_present: there.has(field) })),
      });
    }),
    { numRuns: 40 },
  );
});

test("a chapter's list takes the same number of statements for many members as for one", async () => {
  await count([one('joined_date')]);
  const read = (size: number) => stage.officer.get(`${ofChapter(world.chapterId)}?page_size=${size}`);
  await read(1);
  const few = await countStatements(() => read(1));
  for (let n = 0; n < 5; n += 1) await aMember(world.organizationId, world.chapterId);
  expect(await countStatements(() => read(100))).toBe(few);
});

test('admins configure which fields count, and officers see which fields members lack', async () => {
  const { organizationId } = other;
  const path = `/api/organizations/${organizationId}/completeness-config/`;
  const admin = stage.as(other.admin);
  const built = await admin.get(path);
  expect(built.body).toMatchObject({ version: 0, fields: expect.arrayContaining([expect.anything()]) });
  const fields = [one('phone_number', { weight: 99, statuses: ['undergrad'] }), one('line_number')];
  const both = await Promise.all([0, 1].map(() => admin.put(path, { fields, version: 0 })));
  expect(new Set(both.map(({ body }) => body.code ?? body.version))).toEqual(new Set([1, 'stale_version']));
  expect((await admin.get(path)).body).toEqual({ fields, version: 1 });
  expect((await stage.as(other.officer).get(path)).status).toBe(403);

  const whole = await aMember(organizationId, other.otherChapterId);
  const nearly = await aMember(organizationId, other.otherChapterId);
  await leave(whole, ['phone_number', 'line_number']);
  await leave(nearly, ['phone_number']);
  const reader = admin;
  const { body } = await reader.get(`${ofChapter(other.otherChapterId)}?ordering=-percent&page_size=1`);
  expect(body).toMatchObject({
    results: [{ membership: whole.membershipId, percent: 100, missing: [] }],
    previous: null,
  });
  expect(body.average).toBeLessThan(100);
  expect(body.whole).toBe(1);
  const all = (await reader.get(ofChapter(other.otherChapterId))).body;
  expect(all.count).toBe(all.results.length);
  expect(all.results).toContainEqual(
    expect.objectContaining({ membership: nearly.membershipId, percent: 99, missing: ['line_number'] }),
  );
  expect(all.average).toBe(
    Math.floor((all.results as { percent: number }[]).reduce((sum, { percent }) => sum + percent, 0) / all.count),
  );
  expect((await stage.as(nearly).get(ofMember(nearly.membershipId))).body).toEqual({
    membership: nearly.membershipId,
    percent: 99,
    fields: [
      { field: 'phone_number', is_present: true },
      { field: 'line_number', is_present: false },
    ],
  });
  expect((await stage.as(whole).get(ofMember(nearly.membershipId))).status).toBe(403);
  expect((await stage.as(whole).get(ofChapter(other.otherChapterId))).status).toBe(403);
  await expectNowhere(nearly.membershipId, (id) => stage.admin.get(ofMember(id)));
  await expectNowhere(other.otherChapterId, (id) => stage.admin.get(ofChapter(id)));

  await admin.put(path, { fields: [] });
  expect((await admin.get(ofMember(nearly.membershipId))).body).toMatchObject({ percent: 100, fields: [] });
  expect((await admin.get(ofChapter(other.otherChapterId))).body).toMatchObject({ count: 0, average: null, whole: 0 });
});

test.each([
  ['an unknown field', [{ field: 'shoe_size', weight: 1, statuses: ['undergrad'] }]],
  ['no weight', [{ field: 'line_number', weight: 0, statuses: ['undergrad'] }]],
  ['a fractional weight', [{ field: 'line_number', weight: 1.5, statuses: ['undergrad'] }]],
  ['a weight over 100', [{ field: 'line_number', weight: 101, statuses: ['undergrad'] }]],
  ['no status', [{ field: 'line_number', weight: 1, statuses: [] }]],
  ['a field twice', [one('line_number'), one('line_number')]],
  ['a status twice', [{ field: 'line_number', weight: 1, statuses: ['undergrad', 'undergrad'] }]],
])('a configuration with %s is refused', async (_what, fields) => {
  const { status, body } = await stage.admin.put(config(), { fields });
  expect(status).toBe(400);
  expect(Object.keys(body.errors)[0]).toMatch(/^fields/);
});
