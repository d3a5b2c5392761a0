import { inTenant } from '../../../models/database/tenancy.js';
import { organizationsErasure } from '../../../models/organizations/erasure.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';

const stage = apiWorld();
const list = (id = stage.world.chapterId) => `/api/chapters/${id}/advisors/`;
const path = (id: string) => `/api/chapter-advisors/${id}/`;
const contact = {
  name: 'Dr. Ada Lane',
  title: 'Faculty advisor',
  email: 'Ada@Example.org',
  phone_number: '+1 555 0100',
};
const add = async (chapter = stage.world.chapterId, client = stage.admin): Promise<string> =>
  (await client.post(list(chapter), contact)).body.id;

test('officers and admins add, change and remove advisors, and members of the chapter read them', async () => {
  const { world } = stage;
  for (const person of [world.admin, world.regionalAdmin, world.officer]) {
    const made = await stage.as(person).post(list(), contact);
    expect(made).toMatchObject({
      status: 201,
      body: { ...contact, email: 'ada@example.org', chapter: world.chapterId },
    });
    const { id, version } = made.body;
    const edited = await stage.as(person).patch(path(id), { title: null, version });
    expect(edited).toMatchObject({ status: 200, body: { title: null, version: version + 1 } });
    expect(await stage.as(person).patch(path(id), { name: 'X', version })).toMatchObject({ status: 409 });
    expect((await stage.as(person).delete(path(id))).status).toBe(204);
    const log = await asOwner('SELECT action FROM audit_log WHERE subject_id = $1 ORDER BY id', [id]);
    const verbs = log.map(({ action }) => action);
    expect(verbs).toEqual(['chapter_advisor.created', 'chapter_advisor.updated', 'chapter_advisor.deleted']);
    // The audit log holds no address, because an erasure would not find that of a person without an account.
    expect(await asOwner(`SELECT FROM audit_log l WHERE l::text LIKE '%ada@example.org%'`)).toEqual([]);
  }
  const id = await add();
  expect((await stage.member.get(list())).body.results).toEqual([expect.objectContaining({ id })]);
  expect((await stage.member.post(list(), contact)).status).toBe(403);
  for (const person of [world.member, world.otherOfficer]) {
    expect((await stage.as(person).patch(path(id), { name: 'X' })).status).toBe(403);
    expect((await stage.as(person).delete(path(id))).status).toBe(403);
  }
  expect((await stage.as(world.otherOfficer).get(list())).status).toBe(403);
  expect((await stage.nobody.get(list())).status).toBe(401);
});

test('adding an advisor creates no account', async () => {
  const before = await asOwner('SELECT count(*) FROM users');
  await add();
  expect(await asOwner('SELECT count(*) FROM users')).toEqual(before);
});

test('another organization, its chapters and advisors are a 404', async () => {
  const theirs = await add(stage.other.chapterId, stage.as(stage.other.admin));
  for (const client of [stage.admin, stage.officer]) {
    await expectNowhere(stage.other.chapterId, (id) => client.get(list(id)));
    await expectNowhere(stage.other.chapterId, (id) => client.post(list(id), contact));
    await expectNowhere(theirs, (id) => client.patch(path(id), { name: 'X' }));
    await expectNowhere(theirs, (id) => client.delete(path(id)));
  }
});

test.each([
  [{ name: '' }, 'name'],
  [{ email: 'nobody' }, 'email'],
  [{ phone_number: '0'.repeat(33) }, 'phone_number'],
  [{ user: '019c0000-0000-7000-8000-000000000000' }, 'user'],
])('%j is refused by name', async (wrong, field) => {
  const answer = await stage.officer.post(list(), { ...contact, ...wrong });
  expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, [field]]);
});

test('the list is one statement for any number of advisors', async () => {
  const before = await countStatements(() => stage.officer.get(list()));
  await add();
  await add();
  expect([before, await countStatements(() => stage.officer.get(list()))]).toEqual([3, 3]);
});

test("an erasure deletes advisors with the person's addresses and no others", async () => {
  const { organizationId, member } = stage.world;
  const [own, others] = [member.email, 'somebody-else@example.org'];
  for (const email of [own, others]) await stage.officer.post(list(), { name: 'Contact', email });
  await inTenant(organizationId, async () => organizationsErasure.inOrganization?.(member.userId, [own]));
  const remaining = await asOwner(
    'SELECT email FROM chapter_advisors WHERE organization_id = $1 AND email = ANY ($2)',
    [organizationId, [own, others]],
  );
  expect(remaining).toEqual([{ email: others }]);
});
