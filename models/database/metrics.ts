/** Metrics of the database: the pools and the outbox backlog. */
import { Counter, Gauge, type GaugeConfiguration, register } from 'prom-client';
import type { Sequelize } from 'sequelize';
import { replicaPool, sequelize } from './connection.js';
import { direct } from './direct.js';
import { poolUse } from './insides.js';
import { waitingForShare } from './requests.js';

/** A scrape is answered in any case; without the database its gauges are missing. */
const DEADLINE_MS = 2_000;

interface Use {
  open: number;
  inUse: number;
  waiting: number;
}

const POOLS: Record<string, () => Use> = {
  main: () => poolUse(sequelize),
  ...(replicaPool && { replica: () => poolUse(replicaPool as Sequelize) }),
  direct() {
    const { totalCount, idleCount, waitingCount } = direct();
    return { open: totalCount, inUse: totalCount - idleCount, waiting: waitingCount };
  },
};

/** A gauge whose value is read at scrape time. */
const gauge = <Label extends string>(configuration: GaugeConfiguration<Label>): void =>
  register.registerMetric(new Gauge({ ...configuration, registers: [] }));

gauge({
  name: 'membership_database_connections',
  help: 'Connections of this process, by pool: open ones, and those of them in use.',
  labelNames: ['pool', 'state'] as const,
  collect() {
    for (const [pool, use] of Object.entries(POOLS)) {
      const { open, inUse } = use();
      this.set({ pool, state: 'open' }, open);
      this.set({ pool, state: 'in_use' }, inUse);
    }
  },
});

gauge({
  name: 'membership_database_waiting',
  help: 'Calls of this process that wait for a connection, by pool.',
  labelNames: ['pool'] as const,
  collect() {
    for (const [pool, use] of Object.entries(POOLS)) this.set({ pool }, use().waiting);
  },
});

gauge({
  name: 'membership_database_share_waiting',
  help: "Requests that wait until their own tenant's share of the connections has one free.",
  collect() {
    this.set(waitingForShare());
  },
});

interface Backlog {
  waiting: number;
  oldestSeconds: number;
}

let reading: Promise<Backlog | undefined> | undefined;

/**
 * Reads all gauges of a scrape with one statement. Resolves with undefined when the database does not answer in time.
 */
function backlog(): Promise<Backlog | undefined> {
  reading ??= Promise.race([ask(), nothingAfter(DEADLINE_MS)])
    .catch(() => undefined)
    .finally(() => (reading = undefined));
  return reading;
}

// Uses a partial index on waiting rows, however many were dispatched.
const BACKLOG = `
  SELECT count(*)::int AS waiting,
         coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM outbox WHERE dispatched_at IS NULL`;

const ask = async (): Promise<Backlog | undefined> => (await direct().query<Backlog>(BACKLOG)).rows[0];

const nothingAfter = (milliseconds: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref());

function backlogGauge(name: string, help: string, valueOf: (found: Backlog | undefined) => number | undefined): void {
  gauge({
    name,
    help,
    async collect() {
      const value = valueOf(await backlog());
      // An outdated value would look current.
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

backlogGauge('membership_database_up', 'Whether the database answered this scrape in time.', (found) =>
  found ? 1 : 0,
);
backlogGauge(
  'membership_outbox_waiting',
  'Intents that are committed and not dispatched yet.',
  (found) => found?.waiting,
);
backlogGauge(
  'membership_outbox_oldest_seconds',
  'Age of the oldest intent that is not dispatched yet.',
  (found) => found?.oldestSeconds,
);

const dispatches = new Counter({
  name: 'membership_outbox_dispatches_total',
  help: 'Intents handed to Temporal by this process, and those that will be tried again.',
  labelNames: ['outcome'] as const,
});

// Initialized to 0, so that the first failure shows as an increase.
for (const outcome of ['dispatched', 'failed']) dispatches.inc({ outcome }, 0);

export const countDispatch = (outcome: 'dispatched' | 'failed'): void => dispatches.inc({ outcome });

// Only with a replica: empty metrics would look like those of a replica that is down.
const ofReplica = replicaPool && {
  reads: new Counter({
    name: 'membership_database_reads_total',
    help: 'Reads that may go to the replica, by the server that was asked and why it was that one.',
    labelNames: ['server', 'why'] as const,
  }),
  // Created by the process that monitors the replica; the worker does not read from it.
  gauges: undefined as ReturnType<typeof gaugesOfReplica> | undefined,
};

const gaugesOfReplica = () => ({
  used: new Gauge({ name: 'membership_replica_used', help: 'Whether reads go to the replica.' }),
  lag: new Gauge({
    name: 'membership_replica_lag_seconds',
    help: 'Age of the oldest change that this process knows of and the replica has not replayed.',
  }),
});

/**
 * Reason for the choice of server. On the primary: the session's write position is unknown or not replayed; the
 * replica is excluded; or its answer was unusable and the primary was asked too.
 */
type Why = 'replayed' | 'unknown' | 'not_replayed' | 'left_out' | 'no_answer';

export const countRead = (server: 'primary' | 'replica', why: Why): void => ofReplica?.reads.inc({ server, why });

/** @param lagSeconds null: unknown */
export function reportReplica(isUsed: boolean, lagSeconds: number | null): void {
  if (!ofReplica) return;
  const { used, lag } = (ofReplica.gauges ??= gaugesOfReplica());
  used.set(isUsed ? 1 : 0);
  // An outdated value would look current.
  lag.set(lagSeconds ?? Number.NaN);
}
