/** Additional settings of `npm run cluster`: consecutive ports, and the addresses of Temporal's nodes. */

/** Addresses of Temporal's nodes. Every node has the same ports on its own address. */
const NODE_HOSTS = ['127.0.0.1', '127.0.0.2'] as const;
/** Address of a node that permanently replaces one of Temporal's nodes. */
export const SPARE_HOST = '127.0.0.3';

/**
 * Names of the parts of a cluster. They run instead of the one API, the one worker and the Temporal development server
 * that `npm start` runs.
 */
export const CLUSTER_PARTS = [
  'proxy',
  'api-1',
  'api-2',
  'worker-1',
  'worker-2',
  'temporal-1',
  'temporal-2',
  'temporal-ui',
  'pooler',
  'replica',
];

const NAMES = [
  'pooler',
  'api1',
  'api2',
  'api2Metrics',
  'worker2Metrics',
  'frontendHttp',
  'history',
  'matching',
  'worker',
  'frontendMembership',
  'historyMembership',
  'matchingMembership',
  'workerMembership',
  'replica',
] as const;

export type ClusterPorts = Record<(typeof NAMES)[number], number>;

export const CLUSTER_PORTS = { variable: 'CLUSTER_PORTS', usual: 7300, count: NAMES.length };

export interface ClusterSettings {
  ports: ClusterPorts;
  /** Host addresses of Temporal's nodes, without a port. */
  hosts: readonly string[];
  /** Addresses of the frontends of Temporal's nodes. */
  addresses: string[];
  /** Path of a Temporal server that was installed or built by hand (TEMPORAL_SERVER). */
  server: string | undefined;
}

/**
 * Reads the settings of a cluster.
 * @throws Error when the ports are invalid, or when the settings name an external database or Temporal. A cluster
 * always starts its own
 */
export function clusterSettings(given: (name: string) => string | undefined, temporal: number): ClusterSettings {
  for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS'])
    if (given(name)) throw new Error(`${name} is set, but the cluster starts its own servers: unset it.`);
  const { variable, usual, count } = CLUSTER_PORTS;
  const first = Number(given(variable) ?? usual);
  if (!Number.isInteger(first) || first < 1 || first + count > 65_536)
    throw new Error(`${variable} must be the first of ${count} ports, 1 to ${65_536 - count}.`);
  const ports = Object.fromEntries(NAMES.map((name, n) => [name, first + n])) as ClusterPorts;
  const addresses = NODE_HOSTS.map((host) => `${host}:${temporal}`);
  return { ports, hosts: NODE_HOSTS, addresses, server: given('TEMPORAL_SERVER') };
}
