import fc from 'fast-check';
import { inTenant } from '../../../models/database/tenancy.js';
import { rows } from '../../../models/database/rows.js';
import { changeMembership, lockMembership } from '../../../models/organizations/changeMembership.js';
import { withChangeContext, type PeriodSource } from '../../../models/organizations/lifecycle/history.js';
import { REPORT_GROUPS, type ReportGroup } from '../../../models/organizations/reports/memberReport.js';
import { MEMBERSHIP_STATUSES, type MembershipStatus } from '../../../models/organizations/vocabulary.js';
import { apiWorld, expectNowhere } from '../../support/apiWorld.js';
import { asOwner } from '../../support/owner.js';
import { countStatements } from '../../support/statements.js';
import { aUser, aWorld, type World } from '../../support/world.js';

const stage = apiWorld();

const BEGUN = Date.now();
/** The date so many days ago. */
const ago = (days: number): string => new Date(BEGUN - days * 86_400_000).toISOString().slice(0, 10);
const path = ({ organizationId }: World) => `/api/organizations/${organizationId}/reports/members/`;
const query = (from: number, to: number, group = 'chapter') => `?from=${ago(from)}&to=${ago(to)}&group_by=${group}`;

interface Figures {
  start: number;
  in: Record<string, number>;
  out: Record<string, number>;
  end: number;
}
interface Report {
  groups: (Figures & { group: string | null; name: string | null })[];
  total: Figures;
}
const report = async (world: World, from: number, to: number, group?: string): Promise<Report> =>
  (await stage.as(world.admin).get(path(world) + query(from, to, group))).body;
const groupOf = ({ groups }: Report, group: string | null) => groups.find((row) => row.group === group);
/** Leaves out figures of 0. */
const happened = (figures: Record<string, number> = {}) =>
  Object.fromEntries(Object.entries(figures).filter(([, n]) => n !== 0));
const sum = (figures: Record<string, number>): number => Object.values(figures).reduce((all, n) => all + n, 0);

/** An organization without any membership history; its admin is no member. */
async function nobodyYet(): Promise<World> {
  const world = await aWorld({ members: 1 });
  await asOwner('DELETE FROM memberships WHERE organization_id = $1', [world.organizationId]);
  return world;
}

/** Adds a member who joined so many days ago. */
const joins = (world: World, chapterId: string, daysAgo: number, status: MembershipStatus, source = 'added') =>
  inTenant(world.organizationId, () =>
    withChangeContext({ source: source as PeriodSource }, async () => {
      const [made] = await rows<{ id: string }>(
        `INSERT INTO memberships (organization_id, user_id, chapter_id, status, joined_date, graduation_year)
         VALUES ($1, $2, $3, $4, $5, 2020 + $6::int % 3) RETURNING id`,
        [world.organizationId, await aUser(), chapterId, status, ago(daysAgo), daysAgo],
      );
      return made?.id as string;
    }),
  );
const becomes = (world: World, id: string, status: MembershipStatus, daysAgo: number, source = 'change') =>
  inTenant(world.organizationId, async () =>
    changeMembership(
      await lockMembership(id),
      { status },
      { authority: null, source: source as PeriodSource, effectiveOn: ago(daysAgo) },
    ),
  );

async function transfer(world: World, id: string, to_chapter: string, daysAgo: number): Promise<void> {
  const post = (more: object) =>
    stage.as(world.admin).post(`/api/memberships/${id}/transfer/`, { to_chapter, effective_on: ago(daysAgo), ...more });
  const { preview_hash } = (await post({ dry_run: true })).body;
  expect((await post({ preview_hash })).status).toBeLessThan(300);
}

test('the report is for admins of the organization, and regional admins read their chapters', async () => {
  const { world, other } = stage;
  expect((await stage.nobody.get(path(world) + query(9, 0))).status).toBe(401);
  for (const person of [world.officer, world.member])
    expect((await stage.as(person).get(path(world) + query(9, 0))).status).toBe(403);
  const own = (await stage.as(world.regionalAdmin).get(path(world) + query(9, -1))).body as Report;
  expect(own.groups.map(({ group }) => group)).toEqual([world.chapterId]);
  expect(own.total).toMatchObject({ start: 0, in: { joined: 4 }, end: 4 });
  expect((await report(world, 9, -1)).groups).toHaveLength(2);
  await expectNowhere(other.organizationId, (id) =>
    stage.admin.get(`/api/organizations/${id}/reports/members/${query(9, 0)}`),
  );
});

test.each([
  ['from', query(1, 2)],
  ['to', query(1, -3)],
  ['from', '?from=2025-02-30'],
  ['group_by', query(2, 1, 'name')],
])('%s is refused where it makes no sense', async (field, query) => {
  expect(await stage.admin.get(path(stage.world) + query)).toMatchObject({
    status: 400,
    body: { errors: { [field]: [expect.any(String)] } },
  });
});

test('each way in and out has its figure, and a change between groups counts in both', async () => {
  const world = await nobodyYet();
  const { chapterId: alpha, otherChapterId: beta } = world;
  const there = await joins(world, alpha, 300, 'undergrad');
  const crossing = await joins(world, alpha, 90, 'pnm');
  await becomes(world, crossing, 'undergrad', 50);
  await becomes(world, there, 'alumni', 40);
  const leaving = await joins(world, alpha, 300, 'associate');
  await becomes(world, leaving, 'inactive', 30);
  const back = await joins(world, alpha, 300, 'undergrad');
  await becomes(world, back, 'inactive', 200);
  await becomes(world, back, 'undergrad', 20);
  const moving = await joins(world, alpha, 300, 'undergrad');
  await transfer(world, moving, beta, 10);
  // A change that is reversed on the same day does not count.
  const mistaken = await joins(world, beta, 300, 'undergrad');
  await becomes(world, mistaken, 'alumni', 5);
  await becomes(world, mistaken, 'undergrad', 5);
  await asOwner(`UPDATE memberships SET role = 'advisor' WHERE id = $1`, [mistaken]);

  const byChapter = await report(world, 100, 0);
  const here = groupOf(byChapter, alpha);
  expect(here).toMatchObject({ name: 'Alpha', start: 3, end: 3 });
  expect(happened(here?.in)).toEqual({ joined: 1, crossed: 1, graduated: 1, returned: 1 });
  expect(happened(here?.out)).toEqual({ crossed: 1, graduated: 1, left: 1, transferred: 1 });
  const elsewhere = groupOf(byChapter, beta);
  expect([elsewhere?.start, happened(elsewhere?.in), happened(elsewhere?.out), elsewhere?.end]).toEqual([
    1,
    { transferred: 1 },
    {},
    2,
  ]);
  const byStatus = await report(world, 100, 0, 'status');
  const undergrad = groupOf(byStatus, 'undergrad');
  expect(happened(undergrad?.in)).toEqual({ crossed: 1, returned: 1, transferred: 1 });
  expect(happened(undergrad?.out)).toEqual({ graduated: 1, transferred: 1 });
  expect(happened(groupOf(byStatus, 'pnm')?.in)).toEqual({ joined: 1 });
  expect(happened(groupOf(byStatus, 'pnm')?.out)).toEqual({ crossed: 1 });
  expect(happened(groupOf(byStatus, 'alumni')?.in)).toEqual({ graduated: 1 });
  expect(happened(groupOf(byStatus, 'associate')?.out)).toEqual({ left: 1 });
  // Changes count at the end of their day: those of the first day belong to the start.
  expect(happened(groupOf(await report(world, 40, 0, 'status'), 'alumni')?.in)).toEqual({});
  expect(happened(groupOf(await report(world, 41, 40, 'status'), 'alumni')?.in)).toEqual({ graduated: 1 });
});

test('the table has the same rows, and no cell is a formula', async () => {
  const world = await nobodyYet();
  await asOwner(`UPDATE chapters SET name = '=1+1' WHERE id = $1`, [world.chapterId]);
  await joins(world, world.chapterId, 5, 'associate');
  const { headers, body } = await stage.as(world.admin).get(`${path(world)}${query(9, 0)}&format=csv`);
  expect(headers.get('content-disposition')).toBe(`attachment; filename="members-${ago(9)}-${ago(0)}.csv"`);
  const [titles, ...lines] = (body as string)
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  expect(lines.map((cells) => Object.fromEntries(cells.map((cell, n) => [titles?.[n], cell])))).toEqual([
    expect.objectContaining({
      group: world.chapterId,
      name: "'=1+1",
      start: '0',
      in_joined: '1',
      out_left: '0',
      end: '1',
    }),
  ]);
});

test('the report is one statement for any number of groups', async () => {
  const count = () => countStatements(() => stage.admin.get(path(stage.world) + query(9, 0)));
  const few = await count();
  await joins(stage.world, stage.world.chapterId, 5, 'associate');
  expect([few, await count()]).toEqual([3, 3]);
});

/** A member joins, changes status on a later day, or moves to the other chapter. */
const step = fc.record({
  what: fc.constantFrom('join', 'change', 'change', 'change', 'move'),
  who: fc.nat(20),
  status: fc.constantFrom(...MEMBERSHIP_STATUSES),
  /** Days after the person's last change. */
  later: fc.nat(30),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

interface Somebody {
  id: string;
  chapter: number;
  day: number;
}

async function happen(world: World, people: Somebody[], { what, who, status, later }: Step): Promise<void> {
  const chapters = [world.chapterId, world.otherChapterId] as const;
  const somebody = people[who % Math.max(1, people.length)];
  if (what === 'join' || !somebody) {
    const chapter = who % 2;
    people.push({
      id: await joins(world, chapters[chapter] as string, 150 - later, status),
      chapter,
      day: 150 - later,
    });
    return;
  }
  somebody.day = Math.max(0, somebody.day - later);
  await becomes(
    world,
    somebody.id,
    what === 'move' ? 'inactive' : status,
    somebody.day,
    what === 'move' ? 'transfer' : 'change',
  );
  if (what !== 'move') return;
  const chapter = 1 - somebody.chapter;
  const id = await joins(world, chapters[chapter] as string, somebody.day, status, 'transfer');
  people.push({ id, chapter, day: somebody.day });
}

/** Counts the people on the rosters of a day, by group. */
async function standing(world: World, day: number, group: ReportGroup): Promise<Record<string, number>> {
  const counted: Record<string, number> = {};
  for (const [chapter, region] of [
    [world.chapterId, world.regionId],
    [world.otherChapterId, world.otherRegionId],
  ] as const) {
    const { body } = await stage.as(world.admin).get(`/api/chapters/${chapter}/members/?page_size=100&on=${ago(day)}`);
    for (const { status, graduation_year } of body.results as { status: string; graduation_year: number | null }[]) {
      if (status === 'inactive' || status === 'disaffiliated') continue;
      const key = { chapter, region, status, graduation_year: String(graduation_year) }[group];
      counted[key] = (counted[key] ?? 0) + 1;
    }
  }
  return counted;
}

test("after random changes, the report's start and end equal the rosters and its changes their difference", async () => {
  const days = fc.tuple(fc.nat(160), fc.nat(160)).map(([a, b]) => [Math.max(a, b), Math.min(a, b)] as const);
  const story = fc.tuple(
    fc.array(step, { minLength: 15, maxLength: 30 }),
    fc.array(days, { minLength: 2, maxLength: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(story, async ([steps, spans]) => {
      const world = await nobodyYet();
      const people: Somebody[] = [];
      for (const one of steps) await happen(world, people, one);
      for (const [from, to] of spans)
        for (const group of REPORT_GROUPS) {
          const { groups, total } = await report(world, from, to, group);
          for (const row of [...groups, total]) expect(row.start + sum(row.in) - sum(row.out)).toBe(row.end);
          const ends = (end: 'start' | 'end') =>
            Object.fromEntries(groups.filter((row) => row[end] > 0).map((row) => [String(row.group), row[end]]));
          expect(ends('start')).toEqual(await standing(world, from, group));
          expect(ends('end')).toEqual(await standing(world, to, group));
        }
    }),
    { numRuns: Number(process.env['PROPERTY_STEPS'] ?? 4), endOnFailure: true },
  );
});
