/**
 * A platform on a cluster of Temporal's own server with Postgres, behind a pooler, with a chosen number of instances of
 * each part.
 */
import { readFileSync } from 'node:fs';
import { findTemporalServer } from '../../stack/cluster/findTemporalServer.js';
import { CLUSTER_PORTS, type ClusterSettings, clusterSettings } from '../../stack/cluster/settings.js';
import { clusterPooler, nodeProgram } from '../../stack/cluster/startCluster.js';
import { TEMPORAL_DATABASES, TEMPORAL_ROLE } from '../../stack/cluster/temporalNode.js';
import { ensureNamespace, prepareTemporalDatabases } from '../../stack/cluster/temporalSchema.js';
import { apiProgram, workerProgram } from '../../stack/parts.js';
import { type Pooler, poolerUrl } from '../../stack/pgbouncer.js';
import { freePort, findConsecutivePorts } from '../../stack/ports.js';
import { superuserUrl } from '../../stack/postgres.js';
import { withClient } from '../../stack/roles.js';
import type { StackSettings } from '../../stack/settings.js';
import type { BenchStack } from '../stack.js';

/**
 * Reports whether a part is stopped when the cluster starts: the single API, the workers, and Temporal's development
 * server.
 */
const isSingle = (name: string) => ['api', 'worker', 'referenceWorker', 'temporal'].includes(name);
const isApi = (name: string) => name.startsWith('api-');
const isWorker = (name: string) => name.startsWith('worker-');
const isNode = (name: string) => name.startsWith('temporal-');

export class ScaledStack {
  private nodes: string[] = [];

  private constructor(
    private readonly stack: BenchStack,
    /** Settings of APIs and workers. */
    private readonly settings: StackSettings,
    private readonly cluster: ClusterSettings,
    private readonly server: string,
    readonly pooler: Pooler,
  ) {}

  /**
   * Replaces the single instances by a cluster: stops them, prepares Temporal's databases and starts the pooler.
   * @throws Error when Temporal's server cannot be found or built
   */
  static async over(stack: BenchStack): Promise<ScaledStack> {
    await stack.end(isSingle);
    const { production } = stack.settings;
    const { server, sqlTool } = await findTemporalServer(undefined, console.log);
    const postgres = await stack.postgres();
    await withClient(superuserUrl(postgres), async (client) => {
      // Temporal databases of an earlier run are dropped, because they refer to rows that no longer exist.
      for (const name of Object.values(TEMPORAL_DATABASES))
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
    await prepareTemporalDatabases(postgres, sqlTool);
    const place = { directory: stack.folder('pooler'), port: await freePort(), postgres: production.ports.postgres };
    const { pooler, program } = await clusterPooler(stack.databaseUrl, place, console.log);
    await stack.run(program);
    const first = String(await findConsecutivePorts(CLUSTER_PORTS.count));
    const given = (name: string) => (name === CLUSTER_PORTS.variable ? first : undefined);
    const cluster = clusterSettings(given, production.ports.temporal);
    const urls = { ...production.urls, database: poolerUrl(pooler) };
    return new ScaledStack(stack, { ...production, urls }, cluster, server, pooler);
  }

  /** Adds nodes and restarts APIs and workers, so that each knows all nodes. @returns the addresses of the APIs */
  async grow(count: number): Promise<string[]> {
    await this.endWorkers();
    await this.stack.end(isApi);
    while (this.nodes.length < count) await this.addNode();
    const apis: string[] = [];
    for (let n = 1; n <= count; n += 1) {
      apis.push(await this.startApi(`api-${n}`));
      await this.startWorker(`worker-${n}`);
    }
    return apis;
  }

  async startApi(name: string, more: NodeJS.ProcessEnv = {}): Promise<string> {
    const ports = { ...this.settings.ports, api: await freePort(), apiMetrics: await freePort() };
    const program = apiProgram({ ...this.settings, ports, temporalAddress: this.addresses });
    await this.stack.run({ ...program, name, env: { ...program.env, ...this.listening, ...more } });
    return `http://127.0.0.1:${ports.api}`;
  }

  async startWorker(name: string): Promise<void> {
    const ports = { ...this.settings.ports, workerMetrics: await freePort() };
    const program = workerProgram({ ...this.settings, ports, temporalAddress: this.addresses });
    await this.stack.run({ ...program, name, env: { ...program.env, ...this.listening } });
  }

  endWorkers(): Promise<void> {
    return this.stack.end(isWorker);
  }

  /** Returns the process ids by part. */
  pids(): Record<string, number[]> {
    const postgres = this.stack.postgresPids();
    return {
      API: this.stack.pidsOf(isApi),
      worker: this.stack.pidsOf(isWorker),
      Temporal: this.stack.pidsOf(isNode),
      "Temporal's Postgres": postgres.filter(isTemporals),
      Postgres: postgres.filter((pid) => !isTemporals(pid)),
      pooler: this.stack.pidsOf((name) => name === 'pooler'),
      'stand-in': this.stack.pidsOf((name) => name === 'gateway'),
    };
  }

  private get addresses(): string {
    return this.nodes.map((host) => `${host}:${this.settings.ports.temporal}`).join();
  }

  /** LISTEN needs a direct connection, because the pooler shares its connections. */
  private get listening(): NodeJS.ProcessEnv {
    return { DATABASE_LISTEN_URL: this.stack.databaseUrl };
  }

  private async addNode(): Promise<void> {
    const number = this.nodes.length + 1;
    const host = `127.0.0.${number}`;
    const node = { server: this.server, name: `temporal-${number}`, host };
    await this.stack.run(nodeProgram({ ...this.settings, cluster: this.cluster }, node));
    this.nodes.push(host);
    if (number === 1) await ensureNamespace(`${host}:${this.settings.ports.temporal}`);
  }
}

/** Reports whether a Postgres process serves Temporal's role, which its title contains. */
function isTemporals(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(`postgres: ${TEMPORAL_ROLE.name} `);
  } catch {
    // The process ended in the meantime.
    return false;
  }
}
