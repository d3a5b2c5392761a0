/** What is measured of the database: the pools, and what waits in the outbox. */
import { Counter, Gauge, type GaugeConfiguration, register } from 'prom-client';
import type { Sequelize } from 'sequelize';
import { replicaPool, sequelize } from './connection.js';
import { direct } from './direct.js';
import { poolUse } from './insides.js';
import { waitingForShare } from './requests.js';

/** A scrape is answered in any case; without the database it says so. */
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

/** A figure that is read when it is asked for. */
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

/** One statement for all gauges of a scrape. Resolves with nothing when the database does not answer in time. */
function backlog(): Promise<Backlog | undefined> {
  reading ??= Promise.race([ask(), nothingAfter(DEADLINE_MS)])
    .catch(() => undefined)
    .finally(() => (reading = undefined));
  return reading;
}

// Its index holds the waiting rows alone, however many were dispatched.
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
      // An old figure would look like a true one.
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

// From the start, so that the first failure is seen as a rise.
for (const outcome of ['dispatched', 'failed']) dispatches.inc({ outcome }, 0);

export const countDispatch = (outcome: 'dispatched' | 'failed'): void => dispatches.inc({ outcome });

// Only where there is a replica: figures of none would look like those of one that is gone.
const ofReplica = replicaPool && {
  reads: new Counter({
    name: 'membership_database_reads_total',
    help: 'Reads that may go to the replica, by the server that was asked and why it was that one.',
    labelNames: ['server', 'why'] as const,
  }),
  // Made by who looks at it: the worker does not read there.
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
 * Why a read was asked there. On the primary: what its session has written is not known, or not replayed; the replica is left out; or
 * what it said was no answer, after which the primary was asked, too.
 */
type Why = 'replayed' | 'unknown' | 'not_replayed' | 'left_out' | 'no_answer';

export const countRead = (server: 'primary' | 'replica', why: Why): void => ofReplica?.reads.inc({ server, why });

/** @param lagSeconds null: not known */
export function reportReplica(isUsed: boolean, lagSeconds: number | null): void {
  if (!ofReplica) return;
  const { used, lag } = (ofReplica.gauges ??= gaugesOfReplica());
  used.set(isUsed ? 1 : 0);
  // An old figure would look like a true one.
  lag.set(lagSeconds ?? Number.NaN);
}
