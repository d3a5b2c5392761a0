import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { apiWorld } from '../../support/apiWorld.js';
import { behavesAsAResource } from '../../support/resource.js';
import { ONE_OF_TEN, statuses } from './statuses.support.js';

const stage = apiWorld();
const path = (term = '', id = stage.world.organizationId) => `/api/organizations/${id}/terms/${term && `${term}/`}`;

behavesAsAResource({
  stage,
  address: '/api/organizations/:organization_id/terms',
  subject: 'term',
  mayRead: ['admin', 'regionalAdmin', 'officer', 'member'],
  mayWrite: ['admin'],
  body: (_, n) => ({ name: `Term ${n}`, starts_on: `${2100 + n}-01-15`, ends_on: `${2100 + n}-05-31` }),
  edit: (n) => ({ name: `Other ${n}` }),
  bad: [
    [{ starts_on: '2040-08-01', ends_on: '2040-08-01' }, 'ends_on'],
    [{ ends_on: '2040-02-30' }, 'ends_on'],
    [{ starts_on: '1500-01-01' }, 'starts_on'],
    [{ name: '' }, 'name'],
    [{ ends_on: undefined }, 'ends_on'],
    [{ is_current: true }, 'is_current'],
  ],
});

test('terms cannot overlap, neither by one day nor after a change', async () => {
  await stage.admin.post(path(), { name: 'Fall 2050', starts_on: '2050-08-01', ends_on: '2050-12-31' });
  const touching = { name: 'Spring 2051', starts_on: '2050-12-31', ends_on: '2051-05-31' };
  expect(await stage.admin.post(path(), touching)).toMatchObject({ status: 409, body: { code: 'term_overlap' } });
  const { status, body } = await stage.admin.post(path(), { ...touching, starts_on: '2051-01-01' });
  expect(status).toBe(201);
  const earlier = await stage.admin.patch(path(body.id), { starts_on: '2050-12-01' });
  expect(earlier).toMatchObject({ status: 409, body: { code: 'term_overlap' } });
});

test('of ten concurrent overlapping terms one is created', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      stage.admin.post(path(), { name: `Race ${n}`, starts_on: `2060-01-0${(n % 9) + 1}`, ends_on: '2060-06-30' }),
    ),
  );
  expect(statuses(answers)).toEqual(ONE_OF_TEN);
});

test('the current term is decided by the day in the organization’s time zone', async () => {
  const { organizationId, termId } = stage.other;
  // Kiritimati is about a day ahead of Niue at every hour.
  await asOwner(
    `UPDATE terms SET starts_on = (now() AT TIME ZONE 'Pacific/Kiritimati')::date,
            ends_on = (now() AT TIME ZONE 'Pacific/Kiritimati')::date + 30 WHERE id = $1`,
    [termId],
  );
  const isCurrent = async (zone: string) => {
    await asOwner('UPDATE organizations SET timezone = $2 WHERE id = $1', [organizationId, zone]);
    return (await stage.as(stage.other.member).get(path(termId, organizationId))).body.is_current;
  };
  expect(await isCurrent('Pacific/Kiritimati')).toBe(true);
  expect(await isCurrent('Pacific/Niue')).toBe(false);
});

test('the list is one statement, latest first', async () => {
  const { body } = await stage.member.get(path());
  const starts: string[] = body.results.map(({ starts_on }: { starts_on: string }) => starts_on);
  expect(starts).toEqual([...starts].sort((one, other) => other.localeCompare(one)));
  expect(await countStatements(() => stage.member.get(`${path()}?page_size=1`))).toBe(3);
  expect(await countStatements(() => stage.member.get(`${path()}?page_size=100`))).toBe(3);
});

test('a change that would end a term before it starts is refused by name', async () => {
  const answer = await stage.admin.patch(path(stage.world.termId), { ends_on: '2001-01-01' });
  expect(answer).toMatchObject({ status: 400, body: { errors: { ends_on: [expect.any(String)] } } });
});
