import { AUDIT_LOG } from '../../support/auditLog.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aMember } from '../../support/world.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { ONE_OF_TEN, statuses } from './statuses.support.js';

const stage = apiWorld();
const path = (id = stage.world.chapterId) => `/api/chapters/${id}/members/`;
let counter = 0;
const somebody = (more: object = {}) => ({
  email: `new${(counter += 1)}@example.org`,
  first_name: 'New',
  last_name: 'Person',
  ...more,
});
const ids = ({ body }: { body: { results: { id: string }[] } }) => body.results.map(({ id }) => id);

test('a roster is for people of the chapter and admins over it', async () => {
  expect(await stage.nobody.get(path())).toMatchObject({ status: 401 });
  expect(await stage.nobody.post(path(), somebody())).toMatchObject({ status: 401 });
  for (const person of [stage.world.member, stage.world.officer, stage.world.regionalAdmin, stage.world.admin]) {
    expect(await stage.as(person).get(path())).toMatchObject({ status: 200, body: { count: 4 } });
  }
  for (const person of [stage.world.member, stage.world.officer]) {
    expect(await stage.as(person).get(path(stage.world.otherChapterId))).toMatchObject({ status: 403 });
  }
  expect(await stage.as(stage.world.otherOfficer).get(path())).toMatchObject({ status: 403 });
});

test("another tenant's chapter is a 404", async () => {
  for (const person of [stage.world.admin, stage.world.regionalAdmin, stage.world.officer, stage.world.member]) {
    await expectNowhere(stage.other.chapterId, (id) => stage.as(person).get(path(id)));
    await expectNowhere(stage.other.chapterId, (id) => stage.as(person).get(`${path(id)}?page=2`));
    await expectNowhere(stage.other.chapterId, (id) => stage.as(person).post(path(id), somebody()));
  }
});

test('the roster shows addresses to managers of the chapter, and to each member their own', async () => {
  await asOwner(`UPDATE users SET phone_number = '555' WHERE id = $1`, [stage.world.officer.userId]);
  const seenBy = async (person: { token: string }) =>
    Object.fromEntries(
      (await stage.as(person).get(path())).body.results.map((row: { user: string }) => [row.user, row]),
    ) as Record<string, { email: string | null; phone_number: string | null }>;
  const { officer, member } = stage.world;
  const byMember = await seenBy(member);
  expect(byMember[officer.userId]).toMatchObject({ email: null, phone_number: null });
  expect(byMember[member.userId]).toMatchObject({ email: member.email });
  for (const manager of [officer, stage.world.regionalAdmin, stage.world.admin]) {
    expect((await seenBy(manager))[officer.userId]).toMatchObject({ email: officer.email, phone_number: '555' });
  }
});

test('a search by address finds nothing for people who do not see addresses', async () => {
  const search = `${path()}?search=${encodeURIComponent(stage.world.officer.email)}`;
  expect((await stage.member.get(search)).body.count).toBe(0);
  expect(ids(await stage.officer.get(search))).toEqual([stage.world.officer.membershipId]);
});

test('the roster supports filters, search and ordering', async () => {
  const made = await stage.officer.post(path(), {
    ...somebody({ first_name: 'Zoë', last_name: 'A_100%' }),
    status: 'pnm',
    pledge_class: 'Spring 25',
    graduation_year: 2027,
    joined_date: '2020-01-01',
  });
  const own = [made.body.id];
  for (const query of [
    'status=pnm',
    'pledge_class=Spring%2025',
    'graduation_year=2027',
    'search=zo%C3%AB%20a',
    'search=_100%25',
  ]) {
    expect(ids(await stage.officer.get(`${path()}?${query}`))).toEqual(own);
  }
  expect(ids(await stage.officer.get(`${path()}?role=officer`))).toEqual([stage.world.officer.membershipId]);
  expect((await stage.officer.get(`${path()}?search=%25`)).body.count).toBe(1);
  expect(ids(await stage.officer.get(`${path()}?page_size=1`))).toEqual(own);
  for (const ordering of ['joined_date', 'graduation_year', '-created_at']) {
    expect(ids(await stage.officer.get(`${path()}?ordering=${ordering}&page_size=1`))).toEqual(own);
  }
});

test('the roster sorts people of one name in one stable order over all pages, both ways and with a filter', async () => {
  const { organizationId, chapterId } = stage.other;
  const made = [];
  for (let n = 0; n < 4; n += 1) made.push(await aMember(organizationId, chapterId));
  const last = made.pop()?.userId;
  await asOwner("UPDATE users SET first_name = 'Ann', last_name = 'Baker' WHERE id = ANY($1)", [
    made.map((one) => one.userId),
  ]);
  await asOwner("UPDATE users SET first_name = 'Ann', last_name = 'Aaron' WHERE id = $1", [last]);
  const wanted = await asOwner<{ id: string }>(
    `SELECT m.id FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.chapter_id = $1
      ORDER BY u.last_name || ' ' || u.first_name, m.id`,
    [chapterId],
  );
  const inOrder = wanted.map(({ id }) => id);
  const reader = stage.as(stage.other.admin);
  for (const filter of ['', '&status=undergrad', '&search=%20'])
    for (const [ordering, order] of [
      ['name', inOrder],
      ['-name', inOrder.toReversed()],
    ] as const) {
      const listed: string[] = [];
      for (let page = 1; page <= inOrder.length; page += 1)
        listed.push(
          ...ids(await reader.get(`${path(chapterId)}?ordering=${ordering}&page_size=1&page=${page}${filter}`)),
        );
      expect([ordering, filter, listed]).toEqual([ordering, filter, order]);
    }
});

test('pages do not overlap, and the link to the next keeps the filters', async () => {
  const listed: string[] = [];
  for (let next: string | null = `${path()}?page_size=2&status=undergrad`; next; ) {
    const { body }: { body: { results: { id: string }[]; next: string | null } } = await stage.officer.get(next);
    listed.push(...ids({ body }));
    next = body.next && body.next.slice(body.next.indexOf('/api/'));
    if (next) expect(next).toContain('status=undergrad');
  }
  expect(new Set(listed).size).toBe(listed.length);
  expect(listed.length).toBe((await stage.officer.get(`${path()}?status=undergrad`)).body.count);
});

test('a roster is one message with its actor, or one statement, for any number of members', async () => {
  const { organizationId, chapterId } = stage.other;
  const { officer, admin } = stage.other;
  const count = (person: { token: string }, query: string) =>
    countStatements(() => stage.as(person).get(`${path(chapterId)}?${query}`));
  const before = await count(officer, 'page_size=100');
  for (let n = 0; n < 20; n += 1) await aMember(organizationId, chapterId);
  expect(before).toBe(1);
  for (const person of [officer, admin]) {
    for (const query of ['page_size=100', 'ordering=-joined_date', 'page=2&page_size=5'])
      expect([query, await count(person, query)]).toEqual([query, 1]);
    expect(await count(person, 'search=a')).toBe(3);
  }
  expect(await count(stage.other.member, 'page_size=100')).toBe(4);
});

test.each([
  'status=gone',
  'role=king',
  'graduation_year=27',
  'graduation_year=20270',
  'colour=red',
  'ordering=email',
  'pledge_class=',
])('the filter %s is refused by name', async (query) => {
  const { status, body } = await stage.officer.get(`${path()}?${query}`);
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(query.split('=')[0] as string);
});

test('an officer adds an unknown person, who is invited', async () => {
  const person = somebody({
    graduation_year: 2027,
    graduation_season: 'FALL',
    line_number: 3,
    crossing_semester: 'Fall 2024',
  });
  const { status, body } = await stage.officer.post(path(), person);
  expect({ status, body }).toMatchObject({
    status: 201,
    body: {
      ...person,
      role: 'member',
      status: 'undergrad',
      chapter: stage.world.chapterId,
      invitation: { state: 'open' },
      version: 1,
    },
  });
  const [entry] = await asOwner(
    `SELECT after FROM ${AUDIT_LOG} WHERE subject_id = $1 AND action = 'membership.created'`,
    [body.id],
  );
  expect(entry).toMatchObject({ after: { chapter_id: stage.world.chapterId, graduation_year: 2027, role: 'member' } });
});

test('a known person keeps their data and is notified', async () => {
  const { organizationId, otherChapterId } = stage.world;
  const { email, userId } = await aMember(organizationId, otherChapterId, 'member', 'inactive');
  const { body } = await stage.officer.post(path(), somebody({ email: email.toUpperCase() }));
  expect(body).toMatchObject({ user: userId, first_name: 'First', invitation: null });
  const notices = await asOwner('SELECT kind, facts FROM account_notices WHERE user_id = $1', [userId]);
  expect(notices).toEqual([{ kind: 'membership_added', facts: expect.objectContaining({ chapter: 'Alpha' }) }]);
});

test('a person has one membership per chapter', async () => {
  const person = somebody();
  await stage.officer.post(path(), person);
  expect(await stage.officer.post(path(), person)).toMatchObject({ status: 409, body: { code: 'membership_exists' } });
  expect((await stage.admin.post(path(stage.world.otherChapterId), person)).status).toBe(201);
});

test('a person added ten times at once is one person with one membership', async () => {
  const person = somebody();
  const answers = await Promise.all(Array.from({ length: 10 }, () => stage.officer.post(path(), person)));
  expect(statuses(answers)).toEqual(ONE_OF_TEN);
  expect(await asOwner('SELECT FROM users WHERE typed_email = $1', [person.email])).toHaveLength(1);
});

test('officers add members and cannot appoint officers', async () => {
  for (const role of ['officer', 'president', 'advisor']) {
    expect(await stage.officer.post(path(), somebody({ role }))).toMatchObject({ status: 403 });
    expect(await stage.as(stage.world.regionalAdmin).post(path(), somebody({ role }))).toMatchObject({ status: 201 });
  }
  expect(await stage.officer.post(path(), somebody({ role: 'alumni', status: 'alumni' }))).toMatchObject({
    status: 201,
  });
  expect(await stage.member.post(path(), somebody())).toMatchObject({ status: 403 });
  expect(await stage.officer.post(path(stage.world.otherChapterId), somebody())).toMatchObject({ status: 403 });
  const regional = stage.as(stage.world.regionalAdmin);
  expect(await regional.post(path(stage.world.otherChapterId), somebody())).toMatchObject({ status: 403 });
});

test('a graduation year may be at most ten years ahead', async () => {
  const limit = new Date().getUTCFullYear() + 10;
  expect((await stage.officer.post(path(), somebody({ graduation_year: limit }))).status).toBe(201);
  const far = await stage.officer.post(path(), somebody({ graduation_year: limit + 1 }));
  expect(far).toMatchObject({ status: 400, body: { errors: { graduation_year: [`Must be at most ${limit}.`] } } });
});

test.each([
  [{ email: undefined }, 'email'],
  [{ email: 'x' }, 'email'],
  [{ first_name: '' }, 'first_name'],
  [{ last_name: undefined }, 'last_name'],
  [{ role: 'king' }, 'role'],
  [{ status: 'gone' }, 'status'],
  [{ graduation_year: 1899 }, 'graduation_year'],
  [{ graduation_year: 2101 }, 'graduation_year'],
  [{ graduation_year: '2027' }, 'graduation_year'],
  [{ graduation_year: 2027.5 }, 'graduation_year'],
  [{ graduation_season: 'FALL' }, 'graduation_season'],
  [{ graduation_season: 'WINTER', graduation_year: 2027 }, 'graduation_season'],
  [{ line_number: -1 }, 'line_number'],
  [{ line_number: 1e30 }, 'line_number'],
  [{ joined_date: '0000-00-00' }, 'joined_date'],
  [{ crossing_date: '9999-12-31' }, 'crossing_date'],
  [{ user: 'x' }, 'user'],
  [{ organization_id: 'x' }, 'organization_id'],
])('%j is refused by name', async (more, field) => {
  const { status, body } = await stage.officer.post(path(), somebody(more));
  expect(status).toBe(400);
  expect(body.errors).toHaveProperty(field);
});
