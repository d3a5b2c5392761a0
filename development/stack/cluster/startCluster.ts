/**
 * Starts the additional parts of a cluster: the pooler, a read replica, Temporal's nodes, two APIs behind one address,
 * two workers.
 */
import path from 'node:path';
import { findPgbouncer } from '../findPgbouncer.js';
import { apiProgram, proxyProgram, workerProgram } from '../parts.js';
import { pgbouncerProgram, type Pooler } from '../pgbouncer.js';
import { type Cluster, postgresProgram } from '../postgres.js';
import type { Program } from '../program.js';
import { PRIMARY_SETTINGS, prepareReplica } from '../replica.js';
import { roleOf } from '../roles.js';
import type { StackSettings } from '../settings.js';
import type { Supervisor } from '../supervisor.js';
import { findTemporalServer, findTemporalUi } from './findTemporalServer.js';
import type { ClusterSettings } from './settings.js';
import { temporalNodeProgram, temporalUiProgram } from './temporalNode.js';
import { ensureNamespace, prepareTemporalDatabases } from './temporalSchema.js';

type Say = (line: string) => void;

/**
 * Number of connections that the pooler opens to Postgres. Postgres accepts 200 in total, and Temporal's nodes use up
 * to 80 of them.
 */
const POOLED_CONNECTIONS = 40;
/**
 * Settings of the primary Postgres server and of its replica. They are shared, because a replica must allow at least as
 * many connections as its primary.
 */
export const POSTGRES_OF_CLUSTER = { max_connections: 200, ...PRIMARY_SETTINGS };
const ROOT = path.resolve(__dirname, '../../..').replace(/[\\/]dist$/, '');

const clusterOf = ({ cluster }: StackSettings): ClusterSettings => cluster as ClusterSettings;

/**
 * Starts the pooler, the replica and Temporal. Postgres must already run.
 * @throws Error when one of them does not start
 */
export async function startClusterServers(
  settings: StackSettings,
  postgres: Cluster,
  supervisor: Supervisor,
  say: Say,
): Promise<void> {
  await Promise.all([
    startPooler(settings, supervisor, say),
    startTemporalNodes(settings, postgres, supervisor, say),
    startReplica(settings, postgres, supervisor, say),
  ]);
}

async function startReplica(
  settings: StackSettings,
  postgres: Cluster,
  supervisor: Supervisor,
  say: Say,
): Promise<void> {
  const directory = path.join(settings.dataDir, 'replica');
  const replica = await prepareReplica(postgres, directory, clusterOf(settings).ports.replica, say);
  await supervisor.start({ ...postgresProgram(replica, POSTGRES_OF_CLUSTER), name: 'replica' });
}

async function startPooler(settings: StackSettings, supervisor: Supervisor, say: Say): Promise<void> {
  const { pooler: port } = clusterOf(settings).ports;
  const location = { directory: path.join(settings.dataDir, 'pooler'), port, postgres: settings.ports.postgres };
  const { program } = await clusterPooler(settings.urls.database, location, say);
  await supervisor.start(program);
}

/** Returns the pooler of a cluster and its program. @param url address of the database without the pooler */
export async function clusterPooler(
  url: string,
  { directory, port, postgres }: { directory: string; port: number; postgres: number },
  say: Say,
): Promise<{ pooler: Pooler; program: Program }> {
  const { database, ...role } = roleOf(url);
  const pgbouncer = await findPgbouncer(say);
  const pooler = { pgbouncer, directory, port, role, postgres: { port: postgres, database }, size: POOLED_CONNECTIONS };
  return { pooler, program: { ...pgbouncerProgram(pooler, ROOT), name: 'pooler' } };
}

async function startTemporalNodes(
  settings: StackSettings,
  postgres: Cluster,
  supervisor: Supervisor,
  say: Say,
): Promise<void> {
  const { hosts, addresses, server: named } = clusterOf(settings);
  const { server, sqlTool } = await findTemporalServer(named, say);
  await prepareTemporalDatabases(postgres, sqlTool);
  // Start the nodes one after another. If they start at the same time, they compete to write the cluster's metadata,
  // and one of them exits.
  for (const [n, host] of hosts.entries())
    await supervisor.start(nodeProgram(settings, { server, name: `temporal-${n + 1}`, host }));
  const [node] = addresses as [string];
  await ensureNamespace(node, settings.environment['TEMPORAL_NAMESPACE']);
  const ui = await findTemporalUi(say);
  const port = settings.ports.temporalUi;
  const directory = temporalFolder(settings);
  if (ui) await supervisor.start(temporalUiProgram({ server: ui, port, node, directory }));
}

const temporalFolder = ({ dataDir }: StackSettings): string => path.join(dataDir, 'temporal');

/**
 * Returns the program of one Temporal node in the cluster of these settings.
 * @param node path of the server program, and name and host of the node
 */
export function nodeProgram(settings: StackSettings, node: { server: string; name: string; host: string }): Program {
  const { temporal: port, postgres } = settings.ports;
  const { ports } = clusterOf(settings);
  return temporalNodeProgram({ ...node, ports, port, postgres, directory: temporalFolder(settings) });
}

/** Returns two APIs, two workers and the proxy. */
export function clusterPrograms(settings: StackSettings): Program[] {
  const { ports } = clusterOf(settings);
  const { apiMetrics, workerMetrics } = settings.ports;
  const withPorts = (own: Partial<StackSettings['ports']>) => ({ ...settings, ports: { ...settings.ports, ...own } });
  return [
    { ...apiProgram(withPorts({ api: ports.api1, apiMetrics })), name: 'api-1' },
    { ...apiProgram(withPorts({ api: ports.api2, apiMetrics: ports.api2Metrics })), name: 'api-2' },
    { ...workerProgram(withPorts({ workerMetrics })), name: 'worker-1' },
    { ...workerProgram(withPorts({ workerMetrics: ports.worker2Metrics })), name: 'worker-2' },
    proxyProgram(settings, [ports.api1, ports.api2]),
  ];
}
