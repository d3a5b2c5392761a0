/** Recruitment periods: one per term, one active at a time, and their transitions. */
import { countStatements } from '../../support/statements.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { aMember, aTerm } from '../../support/world.js';
import { statuses } from '../organizations/statuses.support.js';

const stage = apiWorld();
const { world } = stage;
const list = (rest = '') => `/api/organizations/${world.organizationId}/recruitment-periods/${rest}`;
const one = (id: string, rest = '') => `/api/recruitment-periods/${id}/${rest && `${rest}/`}`;
const times = { opens_at: '2020-01-01T00:00:00.000Z', closes_at: '2040-01-01T00:00:00.000Z' };
let year = 2100;
const draft = async (more: object = {}) => {
  const term = await aTerm(world, (year += 1));
  const made = await stage.admin.post(list(), { term, name: `Intake ${year}`, ...times, ...more });
  expect(made).toMatchObject({ status: 201, body: { status: 'draft', is_open: false, term } });
  return made.body;
};
const act = (id: string, rest: string, body?: object) => stage.admin.post(one(id, rest), body);
const close = async (id: string) =>
  act(id, 'close', { preview_hash: (await act(id, 'close', { dry_run: true })).body.preview_hash });

test('a term has one recruitment period, which only admins create, change and delete', async () => {
  const period = await draft();
  expect((await stage.admin.post(list(), { term: period.term, name: 'Again', ...times })).body).toMatchObject({
    code: 'duplicate',
  });
  expect((await stage.officer.post(list(), { term: period.term, name: 'Mine', ...times })).status).toBe(403);
  expect((await stage.member.get(one(period.id))).body).toEqual(period);
  expect((await stage.admin.patch(one(period.id), { closes_at: times.opens_at })).body.errors).toHaveProperty(
    'closes_at',
  );
  expect(
    (await stage.admin.patch(one(period.id), { closed_message: 'See you in spring.', version: 1 })).body,
  ).toMatchObject({ closed_message: 'See you in spring.', version: 2 });
  expect((await stage.admin.patch(one(period.id), { name: 'Late', version: 1 })).body.code).toBe('stale_version');
  expect(
    (
      await stage.admin.post(list(), {
        term: world.termId,
        name: 'Backwards',
        opens_at: times.closes_at,
        closes_at: times.opens_at,
      })
    ).body.errors,
  ).toHaveProperty('closes_at');
  expect((await stage.admin.delete(one(period.id))).status).toBe(204);
  expect((await stage.admin.get(one(period.id))).status).toBe(404);
});

test('of ten periods activated at once one becomes active, and its times decide whether it is open', async () => {
  const periods = await Promise.all(Array.from({ length: 10 }, () => draft()));
  const answers = await Promise.all(periods.map(({ id }) => act(id, 'activate')));
  expect(statuses(answers)).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
  const id = answers.find(({ status }) => status === 200)?.body.id;
  expect((await stage.admin.get(list('?status=active'))).body.results).toMatchObject([{ id, is_open: true }]);
  expect((await stage.admin.patch(one(id), { closes_at: '2021-01-01T00:00:00.000Z' })).body).toMatchObject({
    status: 'active',
    is_open: false,
  });
  expect((await act(id, 'activate')).body.code).toBe('period_not_draft');
  expect((await stage.admin.delete(one(id))).body.code).toBe('period_not_draft');
  expect((await act(id, 'close', {})).body.errors).toHaveProperty('preview_hash');
  expect((await close(id)).body).toMatchObject({ status: 'closed' });
  expect((await act(id, 'close', { dry_run: true })).body.code).toBe('period_not_active');
  const next = periods.find((period) => period.id !== id)?.id as string;
  expect((await act(next, 'activate')).status).toBe(200);
  expect((await act(id, 'reopen', { reason: 'Too early.' })).body.code).toBe('period_already_active');
  expect((await act(next, 'reopen', { reason: 'Not closed.' })).body.code).toBe('period_not_closed');
  await close(next);
  expect((await act(id, 'reopen', {})).body.errors).toHaveProperty('reason');
  expect((await act(id, 'reopen', { reason: 'Too early.' })).body).toMatchObject({
    status: 'active',
    reopen_reason: 'Too early.',
  });
  const made = await stage.officer.post(`/api/chapters/${world.chapterId}/pnm/`, {
    email: 'counted@example.org',
    first_name: 'Cora',
    last_name: 'Counted',
  });
  expect(made.body.recruitment_period).toBe(id);
  expect((await stage.admin.get(one(id, 'statistics'))).body).toMatchObject([
    { chapter: world.chapterId, not_started: 1, approved: 0, total: 1 },
  ]);
  expect((await stage.member.get(one(id, 'statistics'))).status).toBe(403);
});

test('the preview of a closing warns of people who are not notified of their rejection', async () => {
  const active = (await stage.admin.get(list('?status=active'))).body.results[0]?.id as string | undefined;
  if (active) await close(active);
  const { id } = await draft();
  expect((await act(id, 'activate')).status).toBe(200);
  const preview = async () => {
    const { totals, warnings } = (await act(id, 'close', { dry_run: true })).body;
    return { ...totals, warnings };
  };
  const add = async (email: string) =>
    expect(
      (await stage.officer.post(`/api/chapters/${world.chapterId}/pnm/`, { email, first_name: 'A', last_name: 'B' }))
        .status,
    ).toBe(201);
  expect(await preview()).toEqual({ undecided: 0, told: 0, warnings: [] });
  await add('without-account@example.org');
  expect(await preview()).toEqual({
    undecided: 1,
    told: 0,
    warnings: [expect.stringMatching(/^No one is notified that they are rejected/)],
  });
  await add((await aMember(world.organizationId, world.otherChapterId)).email);
  expect(await preview()).toEqual({
    undecided: 2,
    told: 1,
    warnings: [expect.stringMatching(/^1 of 2 people are not notified/)],
  });
});

test('another organization does not find a period, and the list takes a fixed number of statements', async () => {
  const { id } = await draft();
  const theirs = stage.as(stage.other.admin);
  await expectNowhere(id, (unknown) => theirs.get(one(unknown)));
  await expectNowhere(id, (unknown) => theirs.post(one(unknown, 'activate')));
  for (const size of [1, 100]) expect(await countStatements(() => stage.admin.get(list(`?page_size=${size}`)))).toBe(3);
});
