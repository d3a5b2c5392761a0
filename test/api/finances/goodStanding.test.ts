/** Proofs of good standing: created while a member is in good standing, shown by their code without amounts, and revocable. */
import { inTenant } from '../../../models/database/tenancy.js';
import { readDuesStandings } from '../../../models/finances/good-standing/goodStanding.js';
import { eraseInOrganization } from '../../../models/identity/deletion/eraseInOrganization.js';
import { AUDIT_LOG } from '../../support/auditLog.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person } from '../../support/world.js';
import { ask, day, owing, pay, review, stage } from './plans.support.js';

const ME = '/api/billing/me/good-standing/';
const shown = (code: string) => stage.nobody.get(`/api/public/good-standing/?code=${encodeURIComponent(code)}`);
const prove = (person: Person, body: object = { days: 30 }) => stage.as(person).post(ME, body);

/** A member who was billed and whose invoice is not overdue. */
async function someone(dueIn = 5, status = 'undergrad'): Promise<Person> {
  const { organizationId, chapterId } = stage.world;
  const person = await aMember(organizationId, chapterId, 'member', status);
  await anInvoice(stage.world, { chapterId, membershipId: person.membershipId, cents: 7_313, dueIn });
  return person;
}

test('a member in good standing creates a proof, whose code is returned once and shows name, chapter and dates', async () => {
  const person = await someone();
  const [today, last] = [await day(stage.world, 0), await day(stage.world, 30)];
  const created = await prove(person);
  expect(created).toMatchObject({
    status: 201,
    body: {
      membership: person.membershipId,
      chapter: person.chapterId,
      was_good_on: today,
      good_until: last,
      revoked_at: null,
      code: expect.stringMatching(/^[\w-]{43}$/),
      url: expect.stringMatching(new RegExp(`/good-standing/${created.body.code}$`)),
    },
  });
  const { status, body } = await shown(created.body.code);
  expect(status).toBe(200);
  const [{ name, chapter_name, organization_name }] = (await asOwner(
    `SELECT u.first_name || ' ' || u.last_name AS name, c.name AS chapter_name, o.name AS organization_name
       FROM users u, chapters c JOIN organizations o ON o.id = c.organization_id WHERE u.id = $1 AND c.id = $2`,
    [person.userId, person.chapterId],
  )) as [Record<string, string>];
  expect(body).toEqual([{ name, chapter_name, organization_name, was_good_on: today, good_until: last }]);
  const { results } = (await stage.as(person).get(ME)).body;
  expect(results).toEqual([expect.objectContaining({ id: created.body.id, good_until: last })]);
  expect(JSON.stringify(results)).not.toContain(created.body.code);
  const storedRow = await asOwner<{ row: string }>('SELECT p::text AS row FROM good_standing_proofs p WHERE id = $1', [
    created.body.id,
  ]);
  expect(storedRow[0]?.row).not.toContain(created.body.code);
  const auditEntries = await asOwner(`SELECT action, after FROM ${AUDIT_LOG} WHERE subject_id = $1`, [created.body.id]);
  expect(auditEntries).toMatchObject([{ action: 'good_standing_proof.created' }]);
  expect(JSON.stringify(auditEntries)).not.toMatch(new RegExp(`code|${created.body.code}`));
});

test('a proof shows no amount and does not change when the member falls behind later', async () => {
  const person = await someone();
  const { code } = (await prove(person)).body;
  const before = (await shown(code)).body;
  await anInvoice(stage.world, { chapterId: person.chapterId, membershipId: person.membershipId, dueIn: -40 });
  await asOwner(`UPDATE memberships SET status = 'disaffiliated' WHERE id = $1`, [person.membershipId]);
  expect((await shown(code)).body).toEqual(before);
  expect(JSON.stringify(before)).not.toMatch(/cents|7313|73\.13/);
});

test('a member who owes, was never billed or has no access cannot create a proof', async () => {
  const refused = { status: 409, body: { code: 'not_in_good_standing' } };
  expect(await prove(await someone(-1))).toMatchObject(refused);
  const { organizationId, chapterId, otherChapterId } = stage.world;
  expect(await prove(await aMember(organizationId, chapterId))).toMatchObject(refused);
  // This person can sign in through another membership.
  const formerMember = await someone(5, 'inactive');
  expect((await prove(formerMember)).status).toBe(401);
  const [second] = await asOwner<{ id: string }>(
    `INSERT INTO memberships (organization_id, chapter_id, user_id, role, status) VALUES ($1, $2, $3, 'member', 'alumni') RETURNING id`,
    [organizationId, otherChapterId, formerMember.userId],
  );
  expect(await prove(formerMember)).toMatchObject({ status: 400, body: { errors: { membership: expect.any(Array) } } });
  expect(await prove(formerMember, { days: 1, membership: formerMember.membershipId })).toMatchObject(refused);
  expect(await prove(formerMember, { days: 1, membership: second?.id })).toMatchObject(refused);
  await anInvoice(stage.world, { chapterId: otherChapterId, membershipId: second?.id as string, dueIn: 0 });
  expect(await prove(formerMember, { days: 1, membership: second?.id })).toMatchObject({ status: 201 });
  expect((await stage.as(formerMember).get(`${ME}?membership=${formerMember.membershipId}`)).body.count).toBe(0);
  expect((await stage.as(formerMember).get(ME)).body.count).toBe(1);
});

test('a payment freeze and a plan on schedule count as good standing, a missed installment does not', async () => {
  const owed = await owing(9_001, { dueIn: -1 });
  const standing = () => stage.as(owed.world.member).post(ME, { days: 1 });
  expect((await standing()).status).toBe(409);
  const { id } = (await ask(owed)).body;
  expect((await standing()).status).toBe(201);
  await review(owed, id);
  expect((await standing()).status).toBe(201);
  const member = owed.world.member.membershipId;
  await asOwner(
    `UPDATE payment_plan_installments SET due_date = due_date - 10 WHERE sequence = 1 AND plan_id IN (SELECT id FROM payment_plans WHERE membership_id = $1)`,
    [member],
  );
  await asOwner(`UPDATE chapter_invoices SET due_date = due_date - 10 WHERE id = $1`, [owed.invoice]);
  expect((await standing()).status).toBe(409);
  await pay(owed, 3_001);
  expect((await standing()).status).toBe(201);
});

test('revoked, expired, erased and unknown proofs all answer with the same empty list', async () => {
  const [person, erased] = [await someone(), await someone()];
  const codes: string[] = [];
  const proofs: { id: string; code: string }[] = [];
  for (const whose of [person, person, erased]) {
    const { body } = await prove(whose, { days: 1 });
    proofs.push(body);
    codes.push(body.code);
  }
  expect(await Promise.all(codes.map(async (code) => (await shown(code)).body.length))).toEqual([1, 1, 1]);
  const [first, second] = proofs as unknown as [{ id: string }, { id: string }];
  for (let times = 0; times < 2; times += 1)
    expect((await stage.as(person).delete(`${ME}${first.id}/`)).status).toBe(204);
  await asOwner(
    'UPDATE good_standing_proofs SET was_good_on = was_good_on - 2, good_until = good_until - 2 WHERE id = $1',
    [second.id],
  );
  await inTenant(stage.world.organizationId, () => eraseInOrganization(erased.userId));
  const unknown = await shown('x');
  expect(unknown).toMatchObject({ status: 200, body: [] });
  for (const code of codes) expect(await shown(code)).toMatchObject({ status: 200, body: [] });
  expect(await asOwner('SELECT FROM good_standing_proofs WHERE membership_id = $1', [erased.membershipId])).toEqual([]);
  expect((await stage.as(person).get(ME)).body.results.map((row: { revoked_at: unknown }) => row.revoked_at)).toEqual([
    null,
    expect.any(String),
  ]);
  // The last day counts, in the organization's time zone.
  const last = (await prove(person, { days: 1 })).body;
  await asOwner(
    'UPDATE good_standing_proofs SET was_good_on = was_good_on - 1, good_until = good_until - 1 WHERE id = $1',
    [last.id],
  );
  expect((await shown(last.code)).body).toHaveLength(1);
  await asOwner('UPDATE organizations SET is_active = false WHERE id = $1', [stage.world.organizationId]);
  expect((await shown(last.code)).body).toEqual([]);
  await asOwner('UPDATE organizations SET is_active = true WHERE id = $1', [stage.world.organizationId]);
});

test('a proof is created and revoked only by its own member', async () => {
  const [person, stranger] = [await someone(), await someone()];
  const { id } = (await prove(person)).body;
  for (const by of [stage.as(stranger), stage.officer, stage.admin, stage.as(stage.other.member)])
    expect(await by.delete(`${ME}${id}/`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect((await stage.nobody.delete(`${ME}${id}/`)).status).toBe(401);
  expect((await stage.nobody.post(ME, { days: 1 })).status).toBe(401);
  expect(await prove(stranger, { days: 1, membership: person.membershipId })).toMatchObject({ status: 404 });
  expect(await prove(stage.other.member, { days: 1, membership: person.membershipId })).toMatchObject({ status: 404 });
  for (const days of [0, 91, 1.5, '7', null])
    expect(await prove(person, { days })).toMatchObject({ status: 400, body: { errors: { days: expect.any(Array) } } });
  expect(await prove(person, {})).toMatchObject({ status: 400 });
  for (const query of ['', '?code=', '?code=x&more=1', `?code=${'x'.repeat(201)}`])
    expect(await stage.nobody.get(`/api/public/good-standing/${query}`)).toMatchObject({ status: 400 });
});

test('a membership has at most ten valid proofs, also with concurrent requests', async () => {
  const person = await someone();
  const answers = await Promise.all(Array.from({ length: 14 }, () => prove(person)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  for (const { status, body } of answers)
    if (status !== 201) expect([status, body.code]).toEqual([409, 'too_many_standing_proofs']);
  await stage.as(person).delete(`${ME}${(await stage.as(person).get(ME)).body.results[0].id}/`);
  expect((await prove(person)).status).toBe(201);
});

test('the standing of several members and the list of proofs take a fixed number of statements', async () => {
  const people = [await someone(), await someone(-3), await aMember(stage.world.organizationId, stage.world.chapterId)];
  const ids = [...people.map(({ membershipId }) => membershipId), stage.other.member.membershipId];
  const words = await inTenant(stage.world.organizationId, () => readDuesStandings(ids));
  expect(ids.map((id) => words.get(id))).toEqual(['good', 'owing', 'not_billed', undefined]);
  const list = () => stage.as(people[0] as Person).get(ME);
  const before = await countStatements(list);
  for (let n = 0; n < 3; n += 1) await prove(people[0] as Person);
  expect(await countStatements(list)).toBe(before);
});
