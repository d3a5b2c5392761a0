/** Metrics of the database: the pools and the outbox backlog. */
import { Counter, Gauge, type GaugeConfiguration, register } from 'prom-client';
import type { Sequelize } from 'sequelize';
import { replicaPool, sequelize } from './connection.js';
import { auxiliaryPool } from './auxiliaryPool.js';
import { poolUse } from './sequelizeInternals.js';
import { waitingForQuota } from './connectionQuota.js';
import { type OutboxBacklog, readOutboxBacklog } from './readOutboxBacklog.js';

/**
 * Time that a metrics scrape waits for the database. After that the scrape responds without the gauges that need the
 * database.
 */
const DEADLINE_MS = 2_000;

interface PoolUse {
  open: number;
  inUse: number;
  waiting: number;
}

const POOLS: Record<string, () => PoolUse> = {
  main: () => poolUse(sequelize),
  ...(replicaPool && { replica: () => poolUse(replicaPool as Sequelize) }),
  direct() {
    const { totalCount, idleCount, waitingCount } = auxiliaryPool();
    return { open: totalCount, inUse: totalCount - idleCount, waiting: waitingCount };
  },
};

/** A gauge whose value is read at scrape time. */
const gauge = <Label extends string>(configuration: GaugeConfiguration<Label>): void =>
  register.registerMetric(new Gauge({ ...configuration, registers: [] }));

gauge({
  name: 'membership_database_connections',
  help: 'Connections of this process by pool: all open ones, and those in use.',
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
  help: 'Requests that wait for the connection quota of their tenant.',
  collect() {
    this.set(waitingForQuota());
  },
});

let pendingRead: Promise<OutboxBacklog | undefined> | undefined;

/**
 * Reads the values of all backlog gauges with one statement per scrape. Resolves with undefined when the database does
 * not answer in time.
 */
function backlog(): Promise<OutboxBacklog | undefined> {
  pendingRead ??= Promise.race([readOutboxBacklog(), undefinedAfter(DEADLINE_MS)])
    .catch(() => undefined)
    .finally(() => (pendingRead = undefined));
  return pendingRead;
}

const undefinedAfter = (milliseconds: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), milliseconds).unref());

function backlogGauge(
  name: string,
  help: string,
  valueOf: (row: OutboxBacklog | undefined) => number | undefined,
): void {
  gauge({
    name,
    help,
    async collect() {
      const value = valueOf(await backlog());
      // If the database did not answer, removes the value: the previous one would look current.
      if (value === undefined) this.remove();
      else this.set(value);
    },
  });
}

backlogGauge('membership_database_up', 'Whether the database answered this scrape in time.', (row) => (row ? 1 : 0));
backlogGauge('membership_outbox_waiting', 'Intents that are committed and not dispatched yet.', (row) => row?.waiting);
backlogGauge(
  'membership_outbox_oldest_seconds',
  'Age of the oldest intent that is not dispatched yet.',
  (row) => row?.oldestSeconds,
);

const dispatches = new Counter({
  name: 'membership_outbox_dispatches_total',
  help: 'Intents that this process has dispatched to Temporal, and failed dispatches, which are retried.',
  labelNames: ['outcome'] as const,
});

// Initialized to 0, so that the first failure shows as an increase.
for (const outcome of ['dispatched', 'failed']) dispatches.inc({ outcome }, 0);

export const countDispatch = (outcome: 'dispatched' | 'failed'): void => dispatches.inc({ outcome });

// Without a replica these metrics are not created, because empty ones would look as if the replica were down.
const replicaMetrics = replicaPool && {
  reads: new Counter({
    name: 'membership_database_reads_total',
    help: 'Reads that may go to the replica, by server and reason of the choice.',
    labelNames: ['server', 'why'] as const,
  }),
  // The gauges are created on first use by processes that monitor the replica. The worker does not read from the
  // replica and has none.
  gauges: undefined as ReturnType<typeof createReplicaGauges> | undefined,
};

const createReplicaGauges = () => ({
  used: new Gauge({ name: 'membership_replica_used', help: 'Whether reads go to the replica.' }),
  lag: new Gauge({
    name: 'membership_replica_lag_seconds',
    help: 'Age of the oldest change that this process knows of and the replica has not replayed.',
  }),
});

/**
 * Why a read went to the replica or to the primary. Primary: the last write position of the session is unknown or not
 * replayed yet, the replica is excluded, or the replica gave no usable result.
 */
type ServerReason = 'replayed' | 'unknown' | 'not_replayed' | 'left_out' | 'no_answer';

export const countRead = (server: 'primary' | 'replica', why: ServerReason): void =>
  replicaMetrics?.reads.inc({ server, why });

/**
 * Updates the gauges of the replica.
 * @param lagSeconds null if the lag is unknown
 */
export function reportReplica(isUsed: boolean, lagSeconds: number | null): void {
  if (!replicaMetrics) return;
  const { used, lag } = (replicaMetrics.gauges ??= createReplicaGauges());
  used.set(isUsed ? 1 : 0);
  // If the lag is unknown, sets NaN: the previous value would look current.
  lag.set(lagSeconds ?? Number.NaN);
}
