import { inTenant } from '../../../models/database/tenancy.js';
import { foundationErasure } from '../../../models/foundation/erasure.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aFoundation, aFoundationPerson, type Foundation } from '../../support/foundation.js';
import { aMailbox } from '../../support/accountMail.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, aUser, aWorld, type Person, signIn, type World } from '../../support/world.js';

const stage = apiWorld();
const { as, other } = stage;
const mailbox = aMailbox();
const ADMINS = '/api/foundation/admins/';

let world: World;
let foundation: Foundation;
beforeEach(async () => {
  world = await aWorld();
  foundation = await aFoundation(world);
});

const rowOf = async ({ userId }: Person): Promise<string> =>
  (
    (await asOwner<{ id: string }>('SELECT id FROM foundation_admins WHERE user_id = $1', [userId]))[0] as {
      id: string;
    }
  ).id;
const subjects = async ({ email }: Person) => (await mailbox.to(email)).map(({ subject }) => subject);

test('an admin appoints people, changes their role and ends it; the person and the other admins are told', async () => {
  const second = await aFoundationPerson(world, foundation.foundationId, 'admin');
  const person = await aMember(world.organizationId, world.chapterId);
  const admin = as(foundation.admin);
  const appointed = await admin.post(ADMINS, { user: person.userId, role: 'editor' });
  expect(appointed).toMatchObject({
    status: 201,
    body: { user: person.userId, role: 'editor', email: person.email, has_access: true, version: 1 },
  });
  expect((await as(person).get('/api/foundation/funds/')).status).toBe(200);
  const row = `${ADMINS}${appointed.body.id}/`;
  expect(await admin.patch(row, { role: 'admin', version: 1 })).toMatchObject({ status: 200, body: { role: 'admin' } });
  expect((await admin.patch(row, { role: 'editor', version: 1 })).body.code).toBe('stale_version');
  expect((await admin.delete(row)).status).toBe(204);
  expect((await as(person).get('/api/foundation/funds/')).status).toBe(403);

  const told = [
    'Somebody was given a role in the foundation',
    'A role in the foundation was changed',
    'A role in the foundation ended',
  ];
  expect(await subjects(second)).toEqual(told);
  expect(await subjects(person)).toEqual(told);
  expect(await subjects(foundation.admin)).toEqual([]);
  expect(await subjects(foundation.editor)).toEqual([]);
  const actions = await asOwner<{ action: string }>(
    'SELECT action FROM audit_log WHERE subject_id = $1 AND actor_user_id = $2 ORDER BY id',
    [appointed.body.id, foundation.admin.userId],
  );
  expect(actions.map(({ action }) => action)).toEqual([
    'foundation_admin.created',
    'foundation_admin.updated',
    'foundation_admin.deleted',
  ]);
});

test('an organization admin without a role appoints people', async () => {
  const answer = await as(world.admin).post(ADMINS, { user: world.admin.userId, role: 'admin' });
  expect(answer.status).toBe(201);
  expect((await as(world.admin).get('/api/foundation/campaigns/')).status).toBe(200);
});

test('a person who may not sign in to the organization is refused', async () => {
  const former = await aMember(world.organizationId, world.chapterId, 'member', 'inactive');
  const disabled = await aMember(world.organizationId, world.chapterId);
  await asOwner('UPDATE users SET disabled_at = now() WHERE id = $1', [disabled.userId]);
  for (const user of [former.userId, disabled.userId, other.member.userId, await aUser(), world.organizationId])
    expect(await as(foundation.admin).post(ADMINS, { user, role: 'editor' })).toMatchObject({
      status: 409,
      body: { code: 'not_in_organization' },
    });
});

test('a person has one role', async () => {
  expect(await as(foundation.admin).post(ADMINS, { user: foundation.editor.userId, role: 'admin' })).toMatchObject({
    status: 409,
    body: { code: 'duplicate', errors: { user: [expect.any(String)] } },
  });
});

test('the last admin can neither be removed nor become an editor', async () => {
  const last = `${ADMINS}${await rowOf(foundation.admin)}/`;
  const refusal = { status: 409, body: { code: 'last_foundation_admin' } };
  expect(await as(foundation.admin).delete(last)).toMatchObject(refusal);
  expect(await as(world.admin).patch(last, { role: 'editor' })).toMatchObject(refusal);
  expect((await as(world.admin).delete(`${ADMINS}${await rowOf(foundation.editor)}/`)).status).toBe(204);
});

test('an admin who may no longer sign in does not count, and can be removed', async () => {
  const former = await aFoundationPerson(world, foundation.foundationId, 'admin');
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [former.membershipId]);
  expect(await as(foundation.admin).delete(`${ADMINS}${await rowOf(foundation.admin)}/`)).toMatchObject({
    status: 409,
    body: { code: 'last_foundation_admin' },
  });
  const { results } = (await as(foundation.admin).get(ADMINS)).body;
  expect(results.find(({ user }: { user: string }) => user === former.userId)).toMatchObject({ has_access: false });
  expect((await as(foundation.admin).delete(`${ADMINS}${await rowOf(former)}/`)).status).toBe(204);
});

test('of two admins who leave at the same time, one stays', async () => {
  const second = await aFoundationPerson(world, foundation.foundationId, 'admin');
  const rows = [await rowOf(foundation.admin), await rowOf(second)];
  const answers = await Promise.all(rows.map((row) => as(world.admin).delete(`${ADMINS}${row}/`)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409]);
  expect(answers.find(({ status }) => status === 409)?.body.code).toBe('last_foundation_admin');
});

test('the role of a deleted account ends, also that of the only admin', async () => {
  await asOwner(`UPDATE memberships SET status = 'inactive' WHERE id = $1`, [foundation.admin.membershipId]);
  const erase = () =>
    inTenant(world.organizationId, async () => foundationErasure.inOrganization?.(foundation.admin.userId, []));
  expect(await erase()).toMatchObject({ changed: 1 });
  expect(await erase()).toMatchObject({ changed: 0 });
  expect((await as(world.admin).get(ADMINS)).body.results).toMatchObject([{ user: foundation.editor.userId }]);
});

test('changes need a recent sign-in', async () => {
  const token = await signIn(foundation.admin.userId, world.organizationId);
  await asOwner(`UPDATE sessions SET auth_time = now() - interval '16 minutes' WHERE user_id = $1`, [
    foundation.admin.userId,
  ]);
  const row = `${ADMINS}${await rowOf(foundation.editor)}/`;
  const stale = as({ token });
  for (const answer of [
    await stale.post(ADMINS, { user: world.member.userId, role: 'admin' }),
    await stale.patch(row, { role: 'admin' }),
    await stale.delete(row),
  ])
    expect(answer).toMatchObject({ status: 403, body: { code: 'step_up_required' } });
  expect((await stale.get(ADMINS)).status).toBe(200);
});

test('unknown fields, roles and rows are refused', async () => {
  const admin = as(foundation.admin);
  for (const [field, body] of [
    ['role', { user: world.member.userId, role: 'owner' }],
    ['user', { role: 'admin' }],
    ['title', { user: world.member.userId, role: 'admin', title: 'Chair' }],
  ] as const)
    expect(await admin.post(ADMINS, body)).toMatchObject({
      status: 400,
      body: { errors: { [field]: expect.anything() } },
    });
  const elsewhere = await aFoundation(other);
  await expectNowhere(await rowOf(elsewhere.editor), (id) => admin.delete(`${ADMINS}${id}/`));
});

test('the list takes the same number of statements, however many people there are', async () => {
  const admin = as(foundation.admin);
  const few = await countStatements(() => admin.get(ADMINS));
  for (let n = 0; n < 3; n += 1) await aFoundationPerson(world, foundation.foundationId, 'editor');
  expect(await countStatements(() => admin.get(ADMINS))).toBe(few);
  expect((await admin.get(`${ADMINS}?page_size=2`)).body).toMatchObject({ count: 5, results: [{}, {}] });
});
