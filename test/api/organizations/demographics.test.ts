/** What members say of themselves to few: theirs to write, and nobody else's to stumble over. */
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { fillEthnicity } from '../../../models/organizations/profiles/demographics.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlatformAdmin } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { statuses } from './statuses.support.js';

const stage = apiWorld();
const { world } = stage;
const here = (chapter = world.chapterId) => aMember(world.organizationId, chapter);
const path = (id: string) => `/api/memberships/${id}/demographics/`;
const NOTHING = { ethnicity: null, gender: null, pronouns: null, first_generation: null, version: 0 };

test('a member says them, all anew or some, and reads them back', async () => {
  const person = await here();
  const own = stage.as(person);
  expect((await own.get(path(person.membershipId))).body).toEqual({ user: person.userId, ...NOTHING });
  const said = await own.put(path(person.membershipId), { ethnicity: 'Latina', first_generation: true, version: 0 });
  expect(said.body).toEqual({
    user: person.userId,
    ...NOTHING,
    ethnicity: 'Latina',
    first_generation: true,
    version: 1,
  });
  expect((await own.patch(path(person.membershipId), { pronouns: 'she/her' })).body).toMatchObject({
    ethnicity: 'Latina',
    pronouns: 'she/her',
    version: 2,
  });
  expect((await own.patch(path(person.membershipId), { pronouns: null, version: 1 })).body.code).toBe('stale_version');
  expect((await own.put(path(person.membershipId), { gender: 'Woman' })).body).toMatchObject({
    ethnicity: null,
    pronouns: null,
    first_generation: null,
    gender: 'Woman',
  });
  for (const bad of [{ ethnicity: '' }, { ethnicity: 'x'.repeat(101) }, { first_generation: 'yes' }, { shoe_size: 43 }])
    expect(Object.keys((await own.patch(path(person.membershipId), bad)).body.errors)).toEqual(Object.keys(bad));
});

test('who reads them is whom the spec names, and whoever reads those of another is on record', async () => {
  const person = await here();
  await stage.as(person).put(path(person.membershipId), { ethnicity: 'Canary-7f3a' });
  const readers = [stage.officer, stage.admin, stage.as(world.regionalAdmin), stage.as(person)];
  for (const reader of readers)
    expect((await reader.get(path(person.membershipId))).body.ethnicity).toBe('Canary-7f3a');
  const platform = stage.as(await aPlatformAdmin(), { 'X-Organization-Id': world.organizationId });
  const others = [stage.member, stage.as(world.otherOfficer), platform];
  for (const other of others) expect((await other.get(path(person.membershipId))).status).toBe(404);
  for (const other of [...others, stage.officer, stage.admin])
    expect((await other.patch(path(person.membershipId), { ethnicity: 'Other' })).status).toBe(404);
  const log = (await stage.admin.get(`/api/organizations/${world.organizationId}/audit-log/?page_size=100`)).body;
  const read = log.results.filter(
    ({ action, subject_id }: { action: string; subject_id: string }) =>
      action === 'member_demographics.read' && subject_id === person.userId,
  );
  expect(read.map(({ actor }: { actor: { id: string } }) => actor.id).toSorted()).toEqual(
    [world.officer, world.admin, world.regionalAdmin].map(({ userId }) => userId).toSorted(),
  );
  // In no other answer, and not in the log.
  const elsewhere = await Promise.all(
    [
      `/api/memberships/${person.membershipId}/profile/`,
      `/api/memberships/${person.membershipId}/`,
      `/api/memberships/${person.membershipId}/history/`,
      `/api/chapters/${world.chapterId}/members/?page_size=100`,
      `/api/organizations/${world.organizationId}/member-search/?q=${person.email}`,
    ].map((address) => stage.admin.get(address)),
  );
  expect(JSON.stringify([log, ...elsewhere.map(({ body }) => body)])).not.toContain('Canary');
  expect(await asOwner(`SELECT FROM audit_values WHERE before::text || after::text LIKE '%Canary%'`)).toEqual([]);
});

test('a chapter that somebody has left reads nothing of them any more', async () => {
  const person = await here();
  await stage.as(person).put(path(person.membershipId), { ethnicity: 'Said' });
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [person.membershipId]);
  for (const [reader, status] of [
    [stage.officer, 404],
    [stage.as(world.regionalAdmin), 404],
    [stage.admin, 200],
  ] as const)
    expect((await reader.get(path(person.membershipId))).status).toBe(status);
});

test('of ten first words at once one counts for those who say what they have seen', async () => {
  const person = await here();
  const own = stage.as(person);
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => own.put(path(person.membershipId), { gender: 'Woman', version: 0 })),
  );
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
});

test('what was typed for the intake comes where nothing stands, and all of it goes with the person', async () => {
  const person = await here();
  const fill = (word: string) => inTenant(world.organizationId, () => fillEthnicity(person.userId, word));
  expect([await fill('First'), await fill('Second')]).toEqual([true, false]);
  for (let times = 0; times < 2; times += 1)
    await inTenant(world.organizationId, () => eraseInOrganization(person.userId));
  expect(await asOwner('SELECT FROM member_demographics WHERE user_id = $1', [person.userId])).toEqual([]);
});

test('no other organization learns of them', async () => {
  await expectNowhere(stage.other.member.membershipId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.member.membershipId, (id) => stage.admin.put(path(id), {}));
  expect((await stage.nobody.get(path(world.member.membershipId))).status).toBe(401);
});
