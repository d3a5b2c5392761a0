/**
 * The cost of an alert to all organizations, compared with an alert to a few admins; and the cost of open connections.
 * Each check is one figure with its maximum.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { WebSocket } from 'ws';
import { PLATFORM_ADMIN_EMAIL } from '../seeding/people.js';
import { measureWork, watchMemory } from './memory.js';
import type { Call } from './protocol.js';
import { until } from './until.js';
import { ask, signIn, type World } from './world.js';

export const AUDIENCE = 'alert to everybody';

export interface Check {
  what: string;
  measured: number;
  /** The maximum; null when there is no target. */
  limit: number | null;
  unit: string;
  reached: boolean;
}

/** Returns a figure without a target. */
export const figure = (what: string, measured: number, unit: string): Check => ({
  what,
  measured,
  limit: null,
  unit,
  reached: true,
});

/** Returns a figure with its maximum. */
export const check = (what: string, measured: number, limit: number, unit: string): Check => ({
  what,
  measured,
  limit,
  unit,
  reached: measured <= limit,
});

const MEGABYTE = 1_000_000;
const POLLING = { pollMs: 100, patienceMs: 300_000, otherwise: 'The alert was not delivered to everybody in time.' };
/** Number of people in another organization who are notified while the alert is being delivered. */
const OTHERS = 10;

interface Setup {
  owner: Client;
  api: string;
  world: World;
  /** Starts the worker that delivers. @returns its process id */
  startWorker: () => Promise<number>;
  /** Number of requests of each kind. */
  requests: number;
}

/**
 * Measures requests for alerts while no worker handles them. Then starts the worker and measures the delivery of one
 * alert to everyone.
 */
export async function measureAudience({ owner, api, world, startWorker, requests }: Setup): Promise<Check[]> {
  const headers = { ...(await signIn(api, PLATFORM_ADMIN_EMAIL)), 'Content-Type': 'application/json' };
  const alert = async (audience: string) => {
    const body = JSON.stringify({ title: 'Maintenance', body: 'Tonight.', audience });
    const call: Call = { method: 'POST', path: '/api/platform/alerts/', headers, body };
    const begun = performance.now();
    const { id } = (await ask(api, call)) as { id: string };
    return { id, took: performance.now() - begun };
  };
  const [few, all] = [[], []] as [number[], number[]];
  let last = '';
  for (let n = 0; n < requests; n += 1) {
    few.push((await alert('admins')).took);
    const { id, took } = await alert('everyone');
    all.push(took);
    last = id;
  }
  await owner.query(
    `UPDATE platform_alerts SET status = 'cancelled', closed_at = now() WHERE status = 'running' AND id <> $1`,
    [last],
  );
  const { rows } = await owner.query<{ now: Date }>('SELECT now()');
  const since = rows[0]?.now as Date;
  const { answer, megabytes } = await measureWork(await startWorker(), () =>
    tellAll(owner, last, world.organizationId),
  );
  const { people, dispatched } = answer;
  const started = await owner.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM outbox WHERE dispatched_at >= $1 AND cancelled_at IS NULL',
    [since],
  );
  return [
    check('request for an alert to everybody, p95 above one to admins', p95(all) - p95(few), 20, 'ms'),
    check(`workflows started or signalled to notify ${people} people`, started.rows[0]?.n ?? 0, 200, ''),
    check('memory of the worker meanwhile', megabytes, 350, 'MB'),
    check(`dispatches ahead of a notification to ${OTHERS} people of another organization`, dispatched, 30, ''),
  ];
}

const p95 = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

/**
 * Waits until every person has a notification of the alert. Meanwhile notifies a few people of another organization.
 */
async function tellAll(owner: Client, alertId: string, organizationId: string) {
  const progress = async () => {
    const { rows } = await owner.query<{ n: number; open: boolean }>(
      `SELECT (SELECT count(*)::int FROM notifications WHERE notification_type = 'platform_alert' AND subject_id = $1) AS n,
              EXISTS (SELECT FROM platform_alerts WHERE id = $1 AND status = 'running')
                OR EXISTS (SELECT FROM notification_fanouts WHERE subject_id = $1 AND status = 'running') AS open`,
      [alertId],
    );
    return rows[0] as { n: number; open: boolean };
  };
  await until(async () => (await progress()).n > 0 || null, POLLING);
  const notifiedAt = await notifyOthers(owner, organizationId);
  await until(async () => !(await progress()).open || null, POLLING);
  return { people: (await progress()).n, dispatched: await dispatchedBefore(owner, organizationId, notifiedAt) };
}

/**
 * Inserts notifications for a few people of an organization.
 * @returns the time of these notifications
 */
async function notifyOthers(owner: Client, organizationId: string): Promise<Date> {
  const { rows } = await owner.query<{ created_at: Date }>(
    `INSERT INTO notifications (organization_id, recipient_id, event_id, notification_type, event_type, title, subject_type, subject_id)
     SELECT $1, user_id, 'bench:' || uuidv7(), 'something_new', 'membership_changed', 'News', 'membership', id
       FROM memberships WHERE organization_id = $1 ORDER BY id LIMIT $2 RETURNING created_at`,
    [organizationId, OTHERS],
  );
  return rows[0]?.created_at as Date;
}

/**
 * Counts how many outbox rows of other organizations were dispatched while a row of this organization was due and still
 * waited.
 */
async function dispatchedBefore(owner: Client, organizationId: string, asked: Date): Promise<number> {
  const { rows } = await owner.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM outbox o, (SELECT min(not_before) AS due, min(dispatched_at) AS done FROM outbox
        WHERE organization_id = $1 AND process = 'notificationDelivery' AND created_at >= $2) theirs
      WHERE o.organization_id IS DISTINCT FROM $1 AND o.dispatched_at BETWEEN theirs.due AND theirs.done`,
    [organizationId, asked],
  );
  return rows[0]?.n ?? 0;
}

/** Connections per person: as many as an API process allows. */
const CONNECTIONS_PER_PERSON = 10;
/** Time for memory use to settle. */
const REST_MS = 3_000;

/** Measures the memory of open connections. @param count number of connections to one API process */
export async function measureSockets(
  owner: Client,
  { api, apiPid, count }: { api: string; apiPid: number; count: number },
): Promise<Check> {
  const { rows } = await owner.query<{ email: string }>(
    `SELECT DISTINCT u.email FROM memberships m JOIN users u ON u.id = m.user_id JOIN organizations o ON o.id = m.organization_id
      WHERE app.gives_access(m.status) AND o.is_active AND u.password_hash IS NOT NULL AND u.disabled_at IS NULL
        AND NOT u.must_change_password AND NOT u.is_platform_admin LIMIT $1`,
    [count / CONNECTIONS_PER_PERSON],
  );
  const people: Record<string, string>[] = [];
  for (const { email } of rows) people.push(await signIn(api, email));
  const resident = async () => {
    let bytes = 0;
    await watchMemory(
      [apiPid],
      (seen) => (bytes = seen),
      () => sleep(REST_MS),
    );
    return bytes;
  };
  const before = await resident();
  const sockets: WebSocket[] = [];
  try {
    for (const headers of people)
      sockets.push(...(await Promise.all(Array.from({ length: CONNECTIONS_PER_PERSON }, () => connect(api, headers)))));
    const took = ((await resident()) - before) / MEGABYTE;
    return check(`${sockets.length} open connections of an API process`, took, 80, 'MB');
  } finally {
    for (const socket of sockets) socket.terminate();
  }
}

const connect = (api: string, headers: Record<string, string>): Promise<WebSocket> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`${api.replace(/^http/, 'ws')}/api/realtime/`, { headers });
    socket.once('open', () => resolve(socket)).once('error', reject);
  });
