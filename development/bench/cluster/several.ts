/** The same platform over a cluster of Temporal's own server on Postgres, behind a pooler: so many of each as are asked for. */
import { readFileSync } from 'node:fs';
import { findTemporalServer } from '../../stack/cluster/findTemporalServer.js';
import { CLUSTER_PORTS, type ClusterSettings, clusterSettings } from '../../stack/cluster/settings.js';
import { clusterPooler, nodeProgram } from '../../stack/cluster/startCluster.js';
import { TEMPORAL_DATABASES, TEMPORAL_ROLE } from '../../stack/cluster/temporalNode.js';
import { ensureNamespace, prepareTemporalDatabases } from '../../stack/cluster/temporalSchema.js';
import { apiProgram, workerProgram } from '../../stack/parts.js';
import { type Pooler, poolerUrl } from '../../stack/pgbouncer.js';
import { freePort, freeRow } from '../../stack/ports.js';
import { superuserUrl } from '../../stack/postgres.js';
import { withClient } from '../../stack/roles.js';
import type { StackSettings } from '../../stack/settings.js';
import type { BenchStack } from '../stack.js';

/** The parts of a stack that serve it by the development server of Temporal. */
const isSingle = (name: string) => ['api', 'worker', 'referenceWorker', 'temporal'].includes(name);
const isApi = (name: string) => name.startsWith('api-');
const isWorker = (name: string) => name.startsWith('worker-');
const isNode = (name: string) => name.startsWith('temporal-');

export class Several {
  private nodes: string[] = [];

  private constructor(
    private readonly stack: BenchStack,
    /** Of APIs and workers. */
    private readonly settings: StackSettings,
    private readonly cluster: ClusterSettings,
    private readonly server: string,
    readonly pooler: Pooler,
  ) {}

  /** Ends what there is one of, and starts the pooler. @throws Error where Temporal's server cannot be had */
  static async over(stack: BenchStack): Promise<Several> {
    await stack.end(isSingle);
    const { production } = stack.settings;
    const { server, sqlTool } = await findTemporalServer(undefined, console.log);
    const postgres = await stack.postgres();
    await withClient(superuserUrl(postgres), async (client) => {
      // What another run left there is of rows that are gone.
      for (const name of Object.values(TEMPORAL_DATABASES))
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
    await prepareTemporalDatabases(postgres, sqlTool);
    const place = { directory: stack.folder('pooler'), port: await freePort(), postgres: production.ports.postgres };
    const { pooler, program } = await clusterPooler(stack.databaseUrl, place, console.log);
    await stack.run(program);
    const first = String(await freeRow(CLUSTER_PORTS.count));
    const given = (name: string) => (name === CLUSTER_PORTS.variable ? first : undefined);
    const cluster = clusterSettings(given, production.ports.temporal);
    const urls = { ...production.urls, database: poolerUrl(pooler) };
    return new Several(stack, { ...production, urls }, cluster, server, pooler);
  }

  /** Nodes are added; APIs and workers are started anew, so that each knows of all nodes. @returns where the APIs are */
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

  /** Its processes, by what they do. */
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

  /** Past the pooler, which has no connection to give away. */
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

/** Postgres writes into a process's title whom it serves. */
function isTemporals(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').startsWith(`postgres: ${TEMPORAL_ROLE.name} `);
  } catch {
    // Gone in between.
    return false;
  }
}
