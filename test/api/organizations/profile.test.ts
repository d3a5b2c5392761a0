/** Tests the profiles of members in an organization, and the onboarding list of new members. */
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { asOwner } from '../../support/owner.js';
import { aMember, aPlaceholder, aUser, type Person } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';

const stage = apiWorld();
const { world } = stage;
const here = (chapter = world.chapterId) => aMember(world.organizationId, chapter);
const path = (id: string) => `/api/memberships/${id}/profile/`;
const known = { date_of_birth: '2005-04-12', permanent_address_line1: '1 Main Street' };
const profiles = (userId: string) =>
  asOwner('SELECT preferred_name FROM member_profiles WHERE user_id = $1 AND organization_id = $2', [
    userId,
    world.organizationId,
  ]);
const onboarding = async (person: Person) => (await stage.as(person).get('/api/me/onboarding/')).body;

test('a person has one profile per organization, which the person and managers edit', async () => {
  const person = await here();
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    world.organizationId,
    person.userId,
    world.otherChapterId,
  ]);
  expect(await profiles(person.userId)).toEqual([{ preferred_name: null }]);
  const written = await stage.as(person).patch(path(person.membershipId), { ...known, preferred_name: 'Sam' });
  expect(written).toMatchObject({
    status: 200,
    body: { user: person.userId, ...known, preferred_name: 'Sam', city: null },
  });
  expect((await stage.admin.patch(path(person.membershipId), { city: 'Springfield', version: 1 })).body.code).toBe(
    'stale_version',
  );
  expect((await stage.admin.patch(path(person.membershipId), { city: 'Springfield' })).body.city).toBe('Springfield');
  for (const reader of [stage.member, stage.as(world.otherOfficer), stage.as(world.regionalAdmin), stage.as(person)])
    expect((await reader.get(path(person.membershipId))).body).toMatchObject({
      preferred_name: 'Sam',
      city: 'Springfield',
    });
  for (const other of [stage.member, stage.officer, stage.as(world.regionalAdmin)])
    expect((await other.patch(path(person.membershipId), { city: 'Elsewhere' })).status).toBe(403);
  expect((await stage.nobody.get(path(person.membershipId))).status).toBe(401);
  await expectNowhere(stage.other.member.membershipId, (id) => stage.admin.get(path(id)));
  await expectNowhere(stage.other.member.membershipId, (id) => stage.admin.patch(path(id), { city: 'Elsewhere' }));
});

test('an onboarding item is done by the fact itself, for all memberships', async () => {
  const person = await here();
  const item = (name: string, is_done: boolean) => ({
    membership: person.membershipId,
    chapter: person.chapterId,
    item: name,
    is_done,
  });
  expect(await onboarding(person)).toEqual({
    is_complete: false,
    items: [item('profile', false), item('consents', true), item('sign_in', true)],
  });
  await stage.as(person).patch(path(person.membershipId), known);
  expect(await onboarding(person)).toMatchObject({ is_complete: true, items: [item('profile', true), {}, {}] });
  await stage.as(person).patch(path(person.membershipId), { date_of_birth: null });
  expect((await onboarding(person)).is_complete).toBe(false);
  expect((await stage.nobody.get('/api/me/onboarding/')).status).toBe(401);
});

test('a profile of an invited person becomes theirs on acceptance unless they have written their own', async () => {
  const invited = async () => {
    const user = await aPlaceholder(world.organizationId);
    const [made] = await asOwner<{ id: string }>(
      'INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3) RETURNING id',
      [world.organizationId, user, world.chapterId],
    );
    const id = made?.id as string;
    await stage.admin.patch(path(id), { preferred_name: 'Typed' });
    return { id, user };
  };
  const accept = async (user: string, { id }: { id: string }) => {
    await asOwner('UPDATE memberships SET user_id = $2 WHERE id = $1', [id, user]);
    return (await profiles(user))[0];
  };
  const [first, second] = [await invited(), await invited()];
  expect(await accept(await aUser(), first)).toEqual({ preferred_name: 'Typed' });
  const person = await here(world.otherChapterId);
  await stage.as(person).patch(path(person.membershipId), { preferred_name: 'Own' });
  expect(await accept(person.userId, second)).toEqual({ preferred_name: 'Own' });
  for (const { user } of [first, second]) expect(await profiles(user)).toEqual([]);
});

test('an erasure removes the profile, also in the log', async () => {
  const person = await here();
  const { id } = (await stage.as(person).patch(path(person.membershipId), known)).body;
  for (let times = 0; times < 2; times += 1)
    await inTenant(world.organizationId, () => eraseInOrganization(person.userId));
  expect(await profiles(person.userId)).toEqual([]);
  expect((await stage.admin.get(path(person.membershipId))).status).toBe(404);
  const { results } = (await stage.admin.get(`/api/organizations/${world.organizationId}/audit-log/?page_size=100`))
    .body;
  const entry = (results as { subject_id: string }[]).find(({ subject_id }) => subject_id === id);
  expect(entry).toMatchObject({ action: 'member_profile.updated', erased: true });
});

test.each([
  [{ date_of_birth: '2199-01-01' }, 'date_of_birth'],
  [{ date_of_birth: '1899-12-31' }, 'date_of_birth'],
  [{ permanent_address_line1: 'x'.repeat(256) }, 'permanent_address_line1'],
  [{ user: '00000000-0000-7000-8000-000000000000' }, 'user'],
  [{ shoe_size: 43 }, 'shoe_size'],
])('%j is refused by name', async (more, field) => {
  const { status, body } = await stage.member.patch(path(world.member.membershipId), more);
  expect([status, Object.keys(body.errors)]).toEqual([400, [field]]);
});
