/**
 * Runs one node of a Temporal cluster on Postgres. The node is one process with all four Temporal services, and has its
 * own loopback address.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { answers } from '../ports.js';
import type { Program } from '../program.js';
import type { Role } from '../roles.js';
import { SETTINGS } from '../temporal.js';
import type { ClusterPorts } from './settings.js';

/**
 * Number of history shards, which cannot change after the databases are created. Few suffice for two nodes on one
 * machine.
 */
const HISTORY_SHARDS = 8;
/**
 * Maximum number of connections that each of a node's four services opens to Temporal's main database. The constant
 * below limits the connections to Temporal's search database in the same way.
 */
const STORE_CONNECTIONS = 8;
const SEARCH_CONNECTIONS = 2;

export const TEMPORAL_ROLE: Role = { name: 'temporal', password: 'temporal' };
/**
 * Names of Temporal's two databases: `store` has the workflow histories, `search` has the data for searching workflows.
 */
export const TEMPORAL_DATABASES = { store: 'temporal', search: 'temporal_visibility' } as const;

export interface TemporalNode {
  name: string;
  server: string;
  host: string;
  /** Port of the frontend, equal on every node. */
  port: number;
  ports: ClusterPorts;
  postgres: number;
  /** Folder for the configuration. */
  directory: string;
}

export interface TemporalUi {
  server: string;
  port: number;
  /** Address of a frontend, `host:port`. */
  node: string;
  /** Folder for its configuration. */
  directory: string;
}

/** Returns the program that runs a Temporal node. The program counts as ready when the node's frontend answers. */
export function temporalNodeProgram(node: TemporalNode): Program {
  const { name, server, directory } = node;
  mkdirSync(directory, { recursive: true });
  // The files are written as JSON, because Temporal reads YAML and JSON is valid YAML.
  writeFileSync(path.join(directory, 'dynamic.yaml'), JSON.stringify(dynamicSettings(), null, 2));
  writeFileSync(path.join(directory, `${name}.yaml`), JSON.stringify(configurationOf(node), null, 2), { mode: 0o600 });
  return {
    name,
    command: server,
    args: ['--root', directory, '--config', '.', '--env', name, 'start'],
    env: withoutSettings(),
    stopSignal: 'SIGTERM',
    isReady: () => serves(`${node.host}:${node.port}`),
  };
}

/**
 * Returns the environment without TEMPORAL_* variables. They are meant for the application, but Temporal would read
 * them too.
 */
const withoutSettings = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([key]) => !key.startsWith('TEMPORAL_')));

const dynamicSettings = () =>
  Object.fromEntries(Object.entries(SETTINGS).map(([name, value]) => [name, [{ value }]] as const));

function configurationOf({ host, port, ports, postgres, directory }: TemporalNode): object {
  const database = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `127.0.0.1:${postgres}`,
      connectProtocol: 'tcp',
      user: TEMPORAL_ROLE.name,
      password: TEMPORAL_ROLE.password,
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const listens = (grpcPort: number, membershipPort: number) => ({
    rpc: { grpcPort, membershipPort, bindOnIP: host },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'store',
      visibilityStore: 'search',
      numHistoryShards: HISTORY_SHARDS,
      datastores: {
        store: database(TEMPORAL_DATABASES.store, STORE_CONNECTIONS),
        search: database(TEMPORAL_DATABASES.search, SEARCH_CONNECTIONS),
      },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: host } },
    services: {
      frontend: {
        rpc: { ...listens(port, ports.frontendMembership).rpc, httpPort: ports.frontendHttp },
      },
      history: listens(ports.history, ports.historyMembership),
      matching: listens(ports.matching, ports.matchingMembership),
      worker: listens(ports.worker, ports.workerMembership),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: `127.0.0.1:${port}` },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: path.join(directory, 'dynamic.yaml'), pollInterval: '10s' },
  };
}

async function serves(address: string): Promise<boolean> {
  const connection = Connection.lazy({ address, connectTimeout: 2_000 });
  try {
    await connection.withDeadline(Date.now() + 2_000, () => connection.workflowService.getSystemInfo({}));
    return true;
  } finally {
    await connection.close();
  }
}

/**
 * Returns Temporal's web interface, connected to the first node. @param server path of the program @param port the port
 * that it listens on
 */
export function temporalUiProgram({ server, port, node, directory }: TemporalUi): Program {
  mkdirSync(directory, { recursive: true });
  const configuration = {
    host: '127.0.0.1',
    port,
    temporalGrpcAddress: node,
    enableUi: true,
    defaultNamespace: 'default',
  };
  writeFileSync(path.join(directory, 'ui.yaml'), JSON.stringify(configuration, null, 2));
  return {
    name: 'temporal-ui',
    command: server,
    args: ['--root', directory, '--config', '.', '--env', 'ui', 'start'],
    env: withoutSettings(),
    stopSignal: 'SIGTERM',
    isReady: () => answers(port),
  };
}
