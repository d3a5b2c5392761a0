/**
 * Bulk operations of an organization: the roster of a past day, a report for a year, the count of pending decisions, a
 * rollover.
 */
import type { Client } from 'pg';
import { type Check, check } from './audience.js';
import { approvalsStatement } from '../../models/organizations/readApprovals.js';
import { type Bare, bareRate, rateOf } from './bareStatement.js';
import { median } from './rounds.js';
import { makeWaiting } from './waiting.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const MANY = 'bulk changes';

interface Setup {
  owner: Client;
  api: string;
  world: World;
  bare: Bare;
  /** Starts the worker of the bulk queue. */
  startWorker: () => Promise<unknown>;
  /** Number of members in the rollover. */
  members: number;
}

export async function measureMany({ owner, api, world, bare, startWorker, members }: Setup): Promise<Check[]> {
  const headers = { ...(await signIn(api, world.admin)), 'Content-Type': 'application/json' };
  const get = (path: string) => ask(api, { method: 'GET', path, headers });
  return [
    check(
      'roster of a past day, compared with the live one: time of the statement',
      await pastRosterRatio(world, bare),
      1.5,
      'x',
    ),
    check(`report for a year, as a request`, await report(world, get), 150, 'ms'),
    check(
      'first page of the intake’s queue, beside a roster: time of the statement',
      await queue(world, bare),
      1.5,
      'x',
    ),
    ...(await approvals(owner, world, get, bare)),
    check(
      `rollover of ${members} members`,
      await rollover({ owner, api, world, headers, startWorker, members }),
      60,
      's',
    ),
  ];
}

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/**
 * Measures how many times slower the roster of a past day is than the live roster. The past day is yesterday, when the
 * members were the same.
 */
async function pastRosterRatio({ chapterId }: World, bare: Bare): Promise<number> {
  const roster = `/api/chapters/${chapterId}/members/`;
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1)
    ratios.push((await bareRate(roster, bare)) / (await bareRate(`${roster}?on=${daysAgo(1)}`, bare)));
  return median(ratios);
}

/**
 * Measures how many times slower the first page of the intake's queue is than a roster. Both are prepared statements
 * that include the total count.
 */
async function queue({ organizationId, chapterId }: World, bare: Bare): Promise<number> {
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const roster = await bareRate(`/api/chapters/${chapterId}/members/`, bare);
    ratios.push(roster / (await bareRate(`/api/organizations/${organizationId}/pnm/`, bare)));
  }
  return median(ratios);
}

async function report({ organizationId }: World, get: (path: string) => Promise<unknown>): Promise<number> {
  const took: number[] = [];
  for (const group of ['chapter', 'region', 'status', 'graduation_year'])
    for (let round = 0; round < 5; round += 1) {
      const begun = performance.now();
      await get(
        `/api/organizations/${organizationId}/reports/members/?from=${daysAgo(365)}&to=${daysAgo(0)}&group_by=${group}`,
      );
      took.push(performance.now() - begun);
    }
  return median(took);
}

/** Number of pending requests of each kind; at most one per member of an active chapter. */
const PENDING_REQUESTS = 5_000;

/**
 * Measures how long it takes to count the pending decisions of an organization: once the SQL statement alone, which has
 * a target, and once the whole request, which has none.
 */
async function approvals(
  owner: Client,
  { organizationId }: World,
  get: (path: string) => Promise<unknown>,
  bare: Bare,
): Promise<Check[]> {
  await makeWaiting((sql, values) => owner.query(sql, values), organizationId, PENDING_REQUESTS);
  const what = `count of pending decisions, with ${PENDING_REQUESTS} of each of four kinds`;
  const statement = approvalsStatement(organizationId, null, true);
  const perSecond = await rateOf(statement, { ...bare, connections: 1, seconds: Math.max(1, bare.seconds) });
  const took: number[] = [];
  for (let round = 0; round < 11; round += 1) {
    const begun = performance.now();
    await get(`/api/organizations/${organizationId}/approvals/`);
    took.push(performance.now() - begun);
  }
  for (const table of ['account_requests', 'member_add_requests', 'status_change_requests', 'transfer_requests'])
    await owner.query(`UPDATE ${table} SET status = 'withdrawn' WHERE organization_id = $1`, [organizationId]);
  return [check(`${what} (as a request: ${median(took).toFixed(1)} ms)`, 1000 / perSecond, 20, 'ms')];
}

const POLLING = { pollMs: 100, patienceMs: 600_000, otherwise: 'The rollover did not end in time.' };
/** A graduation year that no seeded member has. */
const YEAR = 1950;

/**
 * Measures a rollover from its confirmation to its end.
 * @returns seconds
 */
async function rollover(scene: Omit<Setup, 'bare'> & { headers: Record<string, string> }): Promise<number> {
  const { owner, api, world, headers, startWorker, members } = scene;
  await makeGraduates(owner, world, members);
  const path = `/api/organizations/${world.organizationId}/rollovers/`;
  const post = (more: object) => {
    const body = JSON.stringify({ academic_year: YEAR, through_season: 'SUMMER', ...more });
    return ask(api, { method: 'POST', path, headers, body }) as Promise<{ id: string; preview_hash: string }>;
  };
  const { preview_hash } = await post({ dry_run: true });
  await startWorker();
  const begun = performance.now();
  const { id } = await post({ preview_hash });
  const moved = await until(async () => {
    const { rows } = await owner.query<{ members_moved: number }>(
      `SELECT members_moved FROM rollovers WHERE id = $1 AND status = 'completed'`,
      [id],
    );
    return rows[0]?.members_moved ?? null;
  }, POLLING);
  if (moved !== members) throw new Error('The rollover has not moved all members.');
  return (performance.now() - begun) / 1000;
}

/** Inserts graduates, distributed evenly over the active chapters of the organization. */
const makeGraduates = (owner: Client, { organizationId }: World, members: number): Promise<unknown> =>
  owner.query(
    `WITH people AS (
       INSERT INTO users (email, first_name, last_name)
       SELECT 'graduate-' || n || '@bench.example.org', 'Graduate', 'No ' || n FROM generate_series(1, $2::int) AS n RETURNING id),
     places AS (SELECT array_agg(id) AS ids FROM chapters WHERE organization_id = $1 AND status = 'active')
     INSERT INTO memberships (organization_id, user_id, chapter_id, status, joined_date, graduation_year)
     SELECT $1, p.id, places.ids[1 + p.n % cardinality(places.ids)], 'undergrad', DATE '1946-09-01', $3
       FROM (SELECT id, row_number() OVER ()::int AS n FROM people) p CROSS JOIN places`,
    [organizationId, members, YEAR],
  );
