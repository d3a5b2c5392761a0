/** Tests consents: drafted, published unchangeably, and given to the version that was read. */
import { createHash } from 'node:crypto';
import { inTenant } from '../../../models/database/tenancy.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { during } from '../../support/during.js';
import { asOwner } from '../../support/owner.js';
import { behavesAsAResource } from '../../support/resource.js';
import { countStatements } from '../../support/statements.js';
import { aMember, type Person, signIn } from '../../support/world.js';

const stage = apiWorld();
const path = (id = '', verb = '', organization = stage.world.organizationId) =>
  `/api/organizations/${organization}/consent-templates/${id && `${id}/`}${verb && `${verb}/`}`;
const own = (id = '', verb = '') => `/api/me/consents/${id && `${id}/`}${verb && `${verb}/`}`;
const digest = (title: string, body: string) => createHash('sha256').update(`${title}\n\n${body}`).digest('hex');

let counter = 0;
async function publish(fields: object = {}): Promise<{ id: string; version: number; published_version: number }> {
  counter += 1;
  const draft = { audience: 'members', title: `Code ${counter}`, body_text: 'I keep to it.', ...fields };
  const { body } = await stage.admin.post(path(), draft);
  const published = await stage.admin.post(path(body.id, 'publish'), {});
  if (published.status !== 200) throw new Error(JSON.stringify(published.body));
  return published.body;
}
const rest = (id: string) => stage.admin.patch(path(id), { is_active: false });
const shown = async (person: Person, id: string) => (await stage.as(person).get(own(id))).body;
async function agree(person: Person, id: string, more: object = {}) {
  const { version, text_hash } = await shown(person, id);
  return stage.as(person).post(own(id), { version, text_hash, ...more });
}
const consentsDone = async (person: Person): Promise<boolean> => {
  const { items } = (await stage.as(person).get('/api/me/onboarding/')).body;
  return items.find(({ item }: { item: string }) => item === 'consents').is_done;
};
const records = (userId: string, id: string) =>
  asOwner<{ kind: string; version: number }>(
    'SELECT kind, version FROM consent_records WHERE user_id = $1 AND template_id = $2 ORDER BY ordinal',
    [userId, id],
  );
const here = (role = 'member') => aMember(stage.world.organizationId, stage.world.chapterId, role);

behavesAsAResource({
  stage,
  address: '/api/organizations/:organization_id/consent-templates',
  subject: 'consent_template',
  mayRead: ['admin'],
  mayWrite: ['admin'],
  body: (_, n) => ({ audience: 'members', title: `Terms ${n}`, body_html: '<p>I agree.</p>', method: 'typed_name' }),
  edit: (n) => ({ title: `Terms, again ${n}` }),
  bad: [
    [{ title: 'a\nb' }, 'title'],
    [{ audience: 'everybody' }, 'audience'],
    [{ method: 'fax' }, 'method'],
    [{ body_html: '<script>alert(1)</script>' }, 'body_html'],
    [{ body_text: 'twice' }, 'body_html'],
    [{ body_html: undefined }, 'body_html'],
    [{ body_text: '\u0000' }, 'body_text'],
    [{ published_version: 7 }, 'published_version'],
  ],
});

test('a published version is immutable, and an edit becomes the draft of the next version', async () => {
  const dirty = '<p onclick="x()">I <b>agree</b>.</p>';
  const { id, version } = await publish({ body_text: undefined, body_html: dirty, title: 'Photos' });
  const body_html = '<p>I <b>agree</b>.</p>';
  const first = { version: 1, title: 'Photos', body_html, text_hash: digest('Photos', body_html) };
  expect((await stage.admin.post(path(id, 'publish'), {})).body.code).toBe('nothing_to_publish');
  const drafted = await stage.admin.patch(path(id), { body_text: 'I agree, in words.', version });
  expect(drafted.body).toMatchObject({ state: 'draft', published_version: 1, body_html: null });
  expect(await shown(stage.world.member, id)).toMatchObject(first);
  expect((await stage.admin.post(path(id, 'publish'), { version })).body.code).toBe('stale_version');
  const again = await stage.admin.post(path(id, 'publish'), { version: drafted.body.version });
  expect(again.body).toMatchObject({ state: 'published', published_version: 2 });
  const { body } = await stage.admin.get(path(id, 'versions'));
  expect(body).toMatchObject({ count: 2, results: [{ version: 2, body_text: 'I agree, in words.' }, first] });
  expect((await stage.admin.delete(path(id))).body.code).toBe('consent_template_published');
  for (const sql of [
    `UPDATE consent_versions SET body_text = 'Other' WHERE template_id = $1`,
    'DELETE FROM consent_versions WHERE template_id = $1',
  ])
    await expect(asOwner(sql, [id])).rejects.toMatchObject({ code: '23001' });
  // The database refuses a version with another text or number than the draft's.
  const [forged] = await asOwner<{ number: number; title: string }>(
    `INSERT INTO consent_versions (organization_id, template_id, number, title, method, text_hash)
     VALUES ($1, $2, 9, 'Other', 'click', $3) RETURNING number, title`,
    [stage.world.organizationId, id, '0'.repeat(64)],
  );
  expect(forged).toEqual({ number: 3, title: 'Photos' });
  await rest(id);
});

test('onboarding reopens with each published version and closes when all are given', async () => {
  const person = await here();
  expect(await consentsDone(person)).toBe(true);
  const [one, two] = [await publish(), await publish({ method: 'typed_name' })];
  expect(await consentsDone(person)).toBe(false);
  expect((await agree(person, one.id)).body).toMatchObject({ is_due: false, given: { version: 1, typed_name: null } });
  expect(await consentsDone(person)).toBe(false);
  expect((await agree(person, two.id, { typed_name: 'Sam Lee' })).body).toMatchObject({
    given: { typed_name: 'Sam Lee' },
  });
  expect(await consentsDone(person)).toBe(true);
  await stage.admin.patch(path(one.id), { body_text: 'I keep to it, always.' });
  expect(await consentsDone(person)).toBe(true);
  await stage.admin.post(path(one.id, 'publish'), {});
  expect(await consentsDone(person)).toBe(false);
  expect((await agree(person, one.id)).status).toBe(200);
  expect(await consentsDone(person)).toBe(true);
  for (const { id } of [one, two]) await rest(id);
});

test('a consent to an older text is refused, and a repeated consent counts once', async () => {
  const { id } = await publish();
  const { member } = stage;
  const { version, text_hash } = await shown(stage.world.member, id);
  await stage.admin.patch(path(id), { body_text: 'Something else.' });
  await stage.admin.post(path(id, 'publish'), {});
  for (const read of [
    { version, text_hash },
    { version: 2, text_hash },
    { version: 3, text_hash: '0'.repeat(64) },
  ])
    expect((await member.post(own(id), read)).body.code).toBe('consent_version_stale');
  for (const bad of [{ version, text_hash: 'x' }, { text_hash }, { version: 2, text_hash, typed_name: 'a\nb' }])
    expect((await member.post(own(id), bad)).status).toBe(400);
  expect((await agree(stage.world.member, id, { typed_name: 'Sam' })).body.errors).toHaveProperty('typed_name');
  const all = await Promise.all(Array.from({ length: 5 }, () => agree(stage.world.member, id)));
  expect(all.map(({ status }) => status)).toEqual(Array.from({ length: 5 }, () => 200));
  expect(await records(stage.world.member.userId, id)).toEqual([{ kind: 'given', version: 2 }]);
  await rest(id);
});

test('a consent during the publication of another version waits and is refused', async () => {
  const { id } = await publish();
  const people = [await here(), await here()];
  await stage.admin.patch(path(id), { body_text: 'Something else.' });
  const answers = await during(
    `INSERT INTO consent_versions (organization_id, template_id, number, title, method, text_hash)
     VALUES ($1, $2, 1, '', '', '')`,
    [stage.world.organizationId, id],
    people.map((person) => () => agree(person, id)),
  );
  expect(answers.map(({ body }) => body.code)).toEqual(['consent_version_stale', 'consent_version_stale']);
  for (const { userId } of people) expect(await records(userId, id)).toEqual([]);
  await rest(id);
});

test('a withdrawal is its own record, after which the consent is due again', async () => {
  const { id } = await publish();
  const person = await here();
  const withdraw = () => stage.as(person).post(own(id, 'withdraw'));
  expect((await withdraw()).body.code).toBe('consent_not_given');
  await agree(person, id);
  expect((await withdraw()).body).toMatchObject({ is_due: true, given: null, withdrawn_at: expect.any(String) });
  expect((await withdraw()).body.code).toBe('consent_not_given');
  expect(await consentsDone(person)).toBe(false);
  await agree(person, id);
  expect((await records(person.userId, id)).map(({ kind }) => kind)).toEqual(['given', 'withdrawn', 'given']);
  for (const sql of ['UPDATE consent_records SET version = 1', 'DELETE FROM consent_records'])
    await expect(asOwner(`${sql} WHERE user_id = $1`, [person.userId])).rejects.toMatchObject({ code: '23001' });
  // A consent that is no longer required can be withdrawn but not given again.
  await rest(id);
  expect(await shown(person, id)).toMatchObject({ is_asked: false, is_due: false, given: { version: 1 } });
  expect((await withdraw()).status).toBe(200);
  expect((await agree(person, id)).status).toBe(404);
});

test("officers' consents are asked of present officers only, and no one sees a consent for another audience", async () => {
  const [officers, applicants] = [await publish({ audience: 'officers' }), await publish({ audience: 'applicants' })];
  const leads = await here('officer');
  expect((await agree(leads, officers.id)).status).toBe(200);
  const read = await shown(leads, officers.id);
  const { version, text_hash } = read;
  for (const [person, id] of [
    [stage.world.member, officers.id],
    [leads, applicants.id],
    [stage.world.admin, officers.id],
  ] as [Person, string][]) {
    expect((await stage.as(person).get(own(id))).status).toBe(404);
    expect((await stage.as(person).post(own(id), { version, text_hash })).status).toBe(404);
    expect((await stage.as(person).post(own(id, 'withdraw'))).status).toBe(404);
  }
  await expectNowhere(officers.id, (id) => stage.as(stage.other.officer).post(own(id), { version, text_hash }));
  await asOwner("UPDATE memberships SET role = 'member' WHERE user_id = $1", [leads.userId]);
  expect(await shown(leads, officers.id)).toMatchObject({ is_asked: false, given: { version: 1 } });
  expect((await stage.nobody.get(own())).status).toBe(401);
  for (const { id } of [officers, applicants]) await rest(id);
});

test('a person of two organizations sees the number of due consents in the other one, except in a confined session', async () => {
  const [one, two] = [await publish(), await publish()];
  const person = await here();
  const { other } = stage;
  await asOwner('INSERT INTO memberships (organization_id, user_id, chapter_id) VALUES ($1, $2, $3)', [
    other.organizationId,
    person.userId,
    other.chapterId,
  ]);
  const there = { token: await signIn(person.userId, other.organizationId) };
  const consents = async (by: { token: string }) => (await stage.as(by).get(own())).body;
  expect(await consents(person)).toMatchObject({ consents: [{ is_due: true }, { is_due: true }], elsewhere: [] });
  expect(await consents(there)).toMatchObject({
    consents: [],
    elsewhere: [{ organization: { id: stage.world.organizationId }, due: 2 }],
  });
  expect((await stage.as(there).get(own(one.id))).status).toBe(404);
  await asOwner(
    "UPDATE sessions SET confined = true, auth_method = 'oauth', provider_answered_at = now() WHERE user_id = $1",
    [person.userId],
  );
  expect((await consents(there)).elsewhere).toEqual([]);
  for (const { id } of [one, two]) await rest(id);
});

test('the organization lists the asked people and their consents with a constant number of statements', async () => {
  const { id } = await publish();
  const people = [await here(), await here()];
  const count = () => countStatements(() => stage.admin.get(path(id, 'people')));
  const before = await count();
  const readPeople = async (query = '') => (await stage.admin.get(`${path(id, 'people')}?page_size=100${query}`)).body;
  const { due, given } = await readPeople();
  expect(given).toBe(0);
  for (const person of people) await agree(person, id);
  await stage.as(people[1] as Person).post(own(id, 'withdraw'));
  expect(await readPeople('&state=given')).toMatchObject({
    count: 1,
    due: due - 1,
    given: 1,
    results: [
      { user: people[0]?.userId, membership: people[0]?.membershipId, state: 'given', version: 1, withdrawn_at: null },
    ],
  });
  const { results } = await readPeople(`&state=due&chapter=${stage.world.chapterId}`);
  expect(results).toContainEqual(
    expect.objectContaining({
      user: people[1]?.userId,
      given_at: expect.any(String),
      withdrawn_at: expect.any(String),
    }),
  );
  expect(results.map(({ user }: { user: string }) => user)).not.toContain(stage.world.admin.userId);
  await here();
  expect(await count()).toBe(before);
  const mine = () => countStatements(() => stage.member.get(own()));
  const few = await mine();
  const another = await publish();
  expect(await mine()).toBe(few);
  for (const each of [id, another.id]) await rest(each);
});

test('an erasure removes name and address and keeps the consent, its version and time', async () => {
  const { id } = await publish({ method: 'typed_name' });
  const person = await here();
  expect((await agree(person, id)).body.errors).toHaveProperty('typed_name');
  await agree(person, id, { typed_name: 'Sam Lee' });
  const values = () => asOwner('SELECT typed_name FROM consent_record_values WHERE user_id = $1', [person.userId]);
  expect(await values()).toEqual([{ typed_name: 'Sam Lee' }]);
  for (let times = 0; times < 2; times += 1)
    await inTenant(stage.world.organizationId, () => eraseInOrganization(person.userId));
  expect(await values()).toEqual([]);
  expect(await records(person.userId, id)).toEqual([{ kind: 'given', version: 1 }]);
  await rest(id);
});
