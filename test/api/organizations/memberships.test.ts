import { ERASED_ADDRESS } from '../../../models/identity/deletion/erased.js';
import { AUDIT_LOG } from '../../support/auditLog.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember, anInvoice, type Person, type World } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { statuses } from './statuses.support.js';

const stage = apiWorld();
const path = (id: string) => `/api/memberships/${id}/`;
const inChapter = (role = 'member', status = 'undergrad', chapter = stage.world.chapterId) =>
  aMember(stage.world.organizationId, chapter, role, status);

test('a membership can be read by a signed-in person with access to it', async () => {
  const { membershipId } = stage.world.member;
  expect(await stage.nobody.get(path(membershipId))).toMatchObject({ status: 401 });
  expect(await stage.nobody.patch(path(membershipId), {})).toMatchObject({ status: 401 });
  const { member, officer, regionalAdmin, admin, otherOfficer } = stage.world;
  for (const person of [member, officer, regionalAdmin, admin]) {
    expect(await stage.as(person).get(path(membershipId))).toMatchObject({ status: 200, body: { id: membershipId } });
  }
  expect(await stage.as(otherOfficer).get(path(membershipId))).toMatchObject({ status: 403 });
  expect(await stage.as(otherOfficer).patch(path(membershipId), {})).toMatchObject({ status: 403 });
  expect(await stage.member.patch(path(membershipId), { pledge_class: 'X' })).toMatchObject({ status: 403 });
});

test("another tenant's membership is a 404", async () => {
  const { membershipId } = stage.other.member;
  for (const person of [stage.world.admin, stage.world.officer, stage.world.member]) {
    await expectNowhere(membershipId, (id) => stage.as(person).get(path(id)));
    await expectNowhere(membershipId, (id) => stage.as(person).patch(path(id), { status: 'inactive' }));
  }
});

test('the address is shown to the member and to managers of the chapter', async () => {
  const { member, officer } = stage.world;
  expect((await stage.member.get(path(member.membershipId))).body.email).toBe(member.email);
  expect((await stage.member.get(path(officer.membershipId))).body.email).toBeNull();
  expect((await stage.officer.get(path(member.membershipId))).body.email).toBe(member.email);
  expect(await countStatements(() => stage.member.get(path(member.membershipId)))).toBe(3);
});

test('an officer changes a profile, and the audit log shows the changes', async () => {
  const { membershipId } = await inChapter();
  const profile = {
    joined_date: '2024-09-01',
    graduation_year: 2027,
    graduation_season: 'SPRING',
    pledge_class: 'Alpha',
    line_number: 7,
    crossing_semester: 'Fall 2024',
    crossing_date: '2024-11-30',
  };
  const { status, body } = await stage.officer.patch(path(membershipId), { ...profile, version: 1 });
  expect({ status, body }).toMatchObject({ status: 200, body: { ...profile, version: 2 } });
  expect((await stage.officer.patch(path(membershipId), { ...profile })).body.version).toBe(2);
  const entries = await asOwner(`SELECT before, after FROM ${AUDIT_LOG} WHERE subject_id = $1`, [membershipId]);
  expect(entries).toEqual([{ before: expect.objectContaining({ line_number: null }), after: profile }]);
});

describe('changes of roles and statuses by an officer', () => {
  const refused = (client: Person, id: string, change: object) => async () =>
    expect(await stage.as(client).patch(path(id), change)).toMatchObject({ status: 403, body: { code: 'forbidden' } });

  test('an officer cannot promote a member', async () => {
    const { membershipId } = await inChapter();
    for (const role of ['officer', 'president', 'advisor']) {
      await refused(stage.world.officer, membershipId, { role })();
    }
    expect((await stage.officer.patch(path(membershipId), { role: 'alumni' })).status).toBe(200);
  });

  test('an officer cannot change their own role or status', async () => {
    await refused(stage.world.officer, stage.world.officer.membershipId, { role: 'president' })();
    await refused(stage.world.officer, stage.world.officer.membershipId, { status: 'alumni' })();
    const own = { role: 'officer', pledge_class: 'Mine' };
    expect((await stage.officer.patch(path(stage.world.officer.membershipId), own)).status).toBe(200);
  });

  test('an officer cannot demote officers, presidents and advisors', async () => {
    for (const role of ['officer', 'president', 'advisor']) {
      const { membershipId } = await inChapter(role);
      await refused(stage.world.officer, membershipId, { role: 'member' })();
      await refused(stage.world.officer, membershipId, { status: 'inactive' })();
    }
  });

  test('a president has the same limits as an officer', async () => {
    const president = await inChapter('president');
    const { membershipId } = await inChapter();
    await refused(president, membershipId, { role: 'officer' })();
    await refused(president, president.membershipId, { role: 'advisor' })();
    expect((await stage.as(president).patch(path(membershipId), { status: 'inactive' })).status).toBe(200);
  });

  test('an officer cannot reverse a terminal status', async () => {
    const alumna = await inChapter('member', 'alumni');
    for (const status of ['undergrad', 'inactive', 'lifetime_alumni'])
      await refused(stage.world.officer, alumna.membershipId, { status })();
    const disaffiliated = await inChapter('member', 'disaffiliated');
    await refused(stage.world.officer, disaffiliated.membershipId, { status: 'alumni' })();
  });

  test('an officer can reverse the status inactive', async () => {
    const { membershipId } = await inChapter('member', 'inactive');
    expect((await stage.officer.patch(path(membershipId), { status: 'undergrad' })).status).toBe(200);
  });

  test('neither an officer nor an admin can reactivate the membership of an erased person', async () => {
    const { membershipId, userId } = await aMember(
      stage.world.organizationId,
      stage.world.chapterId,
      'member',
      'inactive',
    );
    await asOwner(`INSERT INTO account_deletions (user_id, status, erases_at) VALUES ($1, 'erasing', now())`, [userId]);
    for (const client of [stage.officer, stage.admin]) {
      const back = await client.patch(`/api/memberships/${membershipId}/`, { status: 'undergrad' });
      expect([back.status, back.body.code]).toEqual([409, 'person_gone']);
    }
  });

  test('the placeholder address of an erased person cannot get a new membership', async () => {
    const { userId } = await aMember(stage.world.organizationId, stage.world.chapterId, 'member', 'inactive');
    await asOwner(`UPDATE users SET email = ${ERASED_ADDRESS}, disabled_at = now() WHERE id = $1`, [userId]);
    const { status, body } = await stage.admin.post(`/api/chapters/${stage.world.otherChapterId}/members/`, {
      email: `Erased-${userId}@erased.invalid`,
      first_name: 'Deleted',
      last_name: 'account',
      role: 'member',
      status: 'undergrad',
    });
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, ['email']]);
  });

  test('an advisor, a former officer and a member cannot manage members', async () => {
    const { membershipId } = await inChapter();
    for (const [role, status] of [
      ['advisor', 'undergrad'],
      ['member', 'undergrad'],
      ['alumni', 'alumni'],
    ] as const) {
      await refused(await inChapter(role, status), membershipId, { pledge_class: 'X' })();
    }
    const former = await inChapter('officer');
    expect((await stage.admin.patch(path(former.membershipId), { status: 'inactive' })).status).toBe(200);
    expect((await stage.as(former).patch(path(membershipId), { pledge_class: 'X' })).status).toBe(401);
  });

  test('an officer of two chapters has power only in the one with active standing', async () => {
    const both = await inChapter('officer');
    await asOwner(
      `INSERT INTO memberships (organization_id, user_id, chapter_id, role) VALUES ($1, $2, $3, 'officer')`,
      [stage.world.organizationId, both.userId, stage.world.otherChapterId],
    );
    await asOwner(`UPDATE memberships SET status = 'inactive' WHERE user_id = $1 AND chapter_id = $2`, [
      both.userId,
      stage.world.otherChapterId,
    ]);
    const there = await inChapter('member', 'undergrad', stage.world.otherChapterId);
    await refused(both, there.membershipId, { pledge_class: 'X' })();
  });

  test('regional admins appoint and reverse in their region only', async () => {
    const regional = stage.as(stage.world.regionalAdmin);
    const here = await inChapter('member', 'alumni');
    await asOwner(`UPDATE memberships SET role = 'member' WHERE role = 'president'`);
    const president = { role: 'president', status: 'undergrad', reason: 'Graduated too early.' };
    expect((await regional.patch(path(here.membershipId), president)).status).toBe(200);
    const there = await inChapter('member', 'undergrad', stage.world.otherChapterId);
    await refused(stage.world.regionalAdmin, there.membershipId, { role: 'officer' })();
    await refused(stage.world.regionalAdmin, stage.world.regionalAdmin.membershipId, { role: 'officer' })();
  });
});

describe('an office of a chapter needs active standing', () => {
  const STANDING = ['undergrad', 'associate', 'active_alumni', 'lifetime_alumni'];
  const WITHOUT = { pnm: 'member', alumni: 'alumni', disaffiliated: 'member', inactive: 'member' } as const;
  const refused = { status: 409, body: { code: 'not_in_active_standing' } };
  const collect = (person: Person) =>
    stage.as(person).patch(path(stage.world.member.membershipId), { pledge_class: 'Beta' });

  test('app.leads_chapter is true for officers and presidents in active standing only', async () => {
    const leads = await asOwner<{ who: string }>(
      `SELECT role || ' ' || status AS who FROM unnest($1::text[]) role, unnest($2::text[]) status
        WHERE app.leads_chapter(role, status) ORDER BY who`,
      [
        ['member', 'officer', 'president', 'advisor', 'alumni'],
        [...STANDING, ...Object.keys(WITHOUT)],
      ],
    );
    const expected = ['officer', 'president'].flatMap((role) => STANDING.map((status) => `${role} ${status}`));
    expect(leads.map(({ who }) => who)).toEqual(expected.toSorted());
  });

  test.each(STANDING)('an officer who becomes %s stays an officer', async (status) => {
    const person = await inChapter('officer', status === 'undergrad' ? 'associate' : 'undergrad');
    expect((await stage.admin.patch(path(person.membershipId), { status })).body).toMatchObject({ role: 'officer' });
    expect((await collect(person)).status).toBe(200);
  });

  const REACHED = Object.entries(WITHOUT).filter(([status]) => status !== 'pnm');

  test.each(REACHED)('with status %s the office ends, and the role is %s', async (status, role) => {
    const person = await inChapter('president');
    expect(await stage.admin.patch(path(person.membershipId), { status, reason: 'Left.' })).toMatchObject({
      status: 200,
      body: { status, role, version: 2 },
    });
    expect((await collect(person)).status).toBe(status === 'alumni' ? 403 : 401);
    const [entry] = await asOwner(`SELECT before, after FROM ${AUDIT_LOG} WHERE subject_id = $1`, [
      person.membershipId,
    ]);
    expect(entry).toEqual({ before: { role: 'president', status: 'undergrad' }, after: { role, status } });
    const back = { status: 'undergrad', reason: 'Came back.' };
    expect((await stage.admin.patch(path(person.membershipId), back)).body.role).toBe(role);
  });

  test('a person without active standing cannot be given an office', async () => {
    const alumna = await inChapter('member', 'alumni');
    const officer = await inChapter('officer');
    for (const role of ['officer', 'president']) {
      expect(await stage.admin.patch(path(alumna.membershipId), { role })).toMatchObject(refused);
      expect(await stage.admin.patch(path(officer.membershipId), { role, status: 'inactive' })).toMatchObject(refused);
      const member = { email: `${role}@example.org`, first_name: 'A', last_name: 'B', role, status: 'alumni' };
      const added = await stage.admin.post(`/api/chapters/${stage.world.chapterId}/members/`, member);
      expect(added).toMatchObject(refused);
    }
    expect((await stage.admin.get(path(officer.membershipId))).body).toMatchObject({
      role: 'officer',
      status: 'undergrad',
      version: 1,
    });
  });

  test('an advisor needs only access', async () => {
    const { membershipId } = await inChapter('advisor');
    const alumna = await stage.admin.patch(path(membershipId), { status: 'alumni' });
    expect(alumna.body).toMatchObject({ role: 'advisor', status: 'alumni' });
  });

  test('a status change in SQL ends the office too', async () => {
    const { membershipId } = await inChapter('officer');
    await asOwner(`UPDATE memberships SET status = 'disaffiliated' WHERE id = $1`, [membershipId]);
    expect(await asOwner('SELECT role FROM memberships WHERE id = $1', [membershipId])).toEqual([{ role: 'member' }]);
    await expect(
      asOwner(`UPDATE memberships SET role = 'president' WHERE id = $1`, [membershipId]),
    ).rejects.toMatchObject({ constraint: 'not_in_active_standing' });
  });
});

test("a status without access ends the person's sessions at once", async () => {
  const person = await inChapter();
  const own = path(person.membershipId);
  expect((await stage.as(person).get(own)).status).toBe(200);
  for (const status of ['inactive', 'disaffiliated']) {
    await stage.admin.patch(own, { status, reason: 'Left.' });
    expect((await stage.as(person).get(own)).status).toBe(401);
  }
  await stage.admin.patch(own, { status: 'active_alumni', reason: 'Came back.' });
  expect((await stage.as(person).get(own)).status).toBe(200);
});

describe('terminal statuses and credit', () => {
  const withCredit = async (world: World): Promise<{ person: Person; invoice: string }> => {
    const person = await inChapter();
    const invoice = await anInvoice(world, { ...person, cents: 5_000 });
    await asOwner(
      `INSERT INTO chapter_account_credits (organization_id, chapter_id, payer_type, membership_id, kind, amount_cents, reason)
       VALUES ($1, $2, 'member', $3, 'issued', 7000, 'Test')`,
      [world.organizationId, world.chapterId, person.membershipId],
    );
    return { person, invoice };
  };
  const due = async (id: string) =>
    (await asOwner('SELECT balance_due_cents FROM chapter_invoices WHERE id = $1', [id]))[0];

  test.each(['alumni', 'active_alumni', 'lifetime_alumni', 'disaffiliated'])(
    'a member who becomes %s pays due invoices from credit',
    async (status) => {
      const { person, invoice } = await withCredit(stage.world);
      expect((await stage.admin.patch(path(person.membershipId), { status, reason: 'Over.' })).status).toBe(200);
      expect(await due(invoice)).toEqual({ balance_due_cents: 0 });
    },
  );

  test('the status inactive pays nothing from credit, because it is reversible', async () => {
    const { person, invoice } = await withCredit(stage.world);
    await stage.officer.patch(path(person.membershipId), { status: 'inactive' });
    expect(await due(invoice)).toEqual({ balance_due_cents: 5000 });
  });

  test('a refused change pays nothing from credit', async () => {
    const { person, invoice } = await withCredit(stage.world);
    await stage.officer.patch(path(person.membershipId), { status: 'alumni', version: 99 });
    await stage.officer.patch(path(person.membershipId), { status: 'alumni', graduation_season: 'FALL' });
    expect(await due(invoice)).toEqual({ balance_due_cents: 5000 });
  });
});

test('a graduation season needs a year', async () => {
  const { membershipId } = await inChapter();
  const refused = { status: 400, body: { errors: { graduation_season: ['A season requires a graduation year.'] } } };
  expect(await stage.officer.patch(path(membershipId), { graduation_season: 'FALL' })).toMatchObject(refused);
  await stage.officer.patch(path(membershipId), { graduation_season: 'FALL', graduation_year: 2027 });
  expect(await stage.officer.patch(path(membershipId), { graduation_year: null })).toMatchObject(refused);
  const both = await stage.officer.patch(path(membershipId), { graduation_year: null, graduation_season: null });
  expect(both.status).toBe(200);
});

test('of two editors with the same version one gets a conflict', async () => {
  const { membershipId } = await inChapter();
  const answers = await Promise.all(
    ['A', 'B'].map((pledge_class) => stage.officer.patch(path(membershipId), { pledge_class, version: 1 })),
  );
  expect(statuses(answers)).toEqual([200, 409]);
});

test.each([
  [{ role: 'king' }, 'role'],
  [{ role: null }, 'role'],
  [{ status: '' }, 'status'],
  [{ graduation_year: 1899 }, 'graduation_year'],
  [{ graduation_year: 2101 }, 'graduation_year'],
  [{ chapter: '0198c5a0-0000-7000-8000-000000000000' }, 'chapter'],
  [{ user: '0198c5a0-0000-7000-8000-000000000000' }, 'user'],
  [{ email: 'x@example.org' }, 'email'],
  [{ version: '1' }, 'version'],
  [{ joined_date: '01.09.2024' }, 'joined_date'],
])('%j is refused by name', async (change, field) => {
  const { status, body } = await stage.officer.patch(path(stage.world.member.membershipId), change);
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});
