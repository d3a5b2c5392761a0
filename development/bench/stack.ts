/** The measured stack: each part in its own process as in production, on free ports and with its own data. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { findTemporal } from '../stack/findTemporal.js';
import { endLeftBehind, forgetProcesses, rememberProcesses } from '../stack/leftBehind.js';
import {
  apiProgram,
  gatewayProgram,
  mailboxProgram,
  ownerCommand,
  pushProgram,
  storageProgram,
  workerProgram,
} from '../stack/parts.js';
import { type Cluster, postgresProgram, prepareCluster, superuserUrl } from '../stack/postgres.js';
import { freePort } from '../stack/ports.js';
import { pushEnvironment } from '../stack/push.js';
import { lastLines, launch, type Program, type Running, stop, untilReady } from '../stack/program.js';
import { ensureRole, roleOf, withClient } from '../stack/roles.js';
import { temporalProgram } from '../stack/temporal.js';
import { type Generator, startGenerator } from './generator.js';
import { type BenchSettings, benchSettings, helper, profiled } from './parts.js';
import type { ReferenceSettings } from './protocol.js';
import { prepareReplica } from '../stack/replica.js';
import { childrenOf } from '../chaos/stack/childrenOf.js';
import { secretsOf } from './secrets.js';
import { copySeed, deleteLastRun, recreateDatabase, seededIn } from './seeded.js';

const MEASURED_DATABASE = 'measured';
/** Settings of Postgres. Durability keeps its safe defaults, and there is memory for the tables that are read. */
const POSTGRES = { max_connections: 160, shared_buffers: '512MB', max_wal_size: '4GB' };
/**
 * Settings for the cluster benchmark: connections for several Temporal nodes, and pg_stat_statements, which counts
 * statements.
 */
const COUNTING = {
  ...POSTGRES,
  max_connections: 400,
  shared_preload_libraries: 'pg_stat_statements',
  // Keep all statements: pg_stat_statements would no longer count an evicted one.
  'pg_stat_statements.max': 20_000,
};

type Say = (line: string) => void;

export class BenchStack {
  private readonly started: Running[] = [];
  private notificationWorker: Running | undefined;
  private constructor(
    readonly settings: BenchSettings,
    private readonly dataDir: string,
    private readonly profiles: string | undefined,
    private readonly ofPostgres: typeof POSTGRES,
  ) {}

  /**
   * Starts servers, API and worker on a fresh copy of the seed.
   * @param profiles folder for CPU profiles of the API
   * @param counts whether Postgres counts statements and has connections for a Temporal cluster
   */
  static async start(
    dataDir: string,
    size: string,
    say: Say,
    { profiles, counts = false }: { profiles?: string | undefined; counts?: boolean } = {},
  ): Promise<BenchStack> {
    await endLeftBehind(dataDir, say);
    const secrets = secretsOf(dataDir);
    const seeded = seededIn(dataDir, size);
    const settings = await benchSettings(dataDir, secrets, { database: MEASURED_DATABASE, seeded: seeded.database });
    const stack = new BenchStack(settings, dataDir, profiles, counts ? COUNTING : POSTGRES);
    try {
      await Promise.all([stack.startDatabase(seeded, size, say), stack.startTemporal(say)]);
      const { production } = settings;
      await Promise.all(
        [gatewayProgram, mailboxProgram, pushProgram, storageProgram].map((program) => stack.run(program(production))),
      );
      await Promise.all(
        [profiled(apiProgram(production), profiles), workerProgram(production)].map((program) => stack.run(program)),
      );
      await stack.run(helper('referenceWorker', stack.environment));
      return stack;
    } catch (error) {
      await stack.stop();
      throw error;
    }
  }

  get ownerUrl(): string {
    return this.settings.production.urls.owner as string;
  }

  /** Returns a folder for a part's data. */
  folder(name: string): string {
    return path.join(this.dataDir, name);
  }

  /** Address of the database for the runtime role. */
  get databaseUrl(): string {
    return this.settings.production.urls.database;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.settings.production.ports.api}`;
  }

  /** The environment of the API. */
  get environment(): NodeJS.ProcessEnv {
    return apiProgram(this.settings.production).env ?? {};
  }

  get apiPids(): number[] {
    return this.started.filter(({ program }) => program.name.startsWith('api')).map(({ pid }) => pid);
  }

  /** Starts a second API process. @returns its address */
  async startSecondApi(): Promise<string> {
    const { production } = this.settings;
    const ports = { ...production.ports, api: await freePort(), apiMetrics: await freePort() };
    await this.run({ ...apiProgram({ ...production, ports }), name: 'api-2' });
    return `http://127.0.0.1:${ports.api}`;
  }

  /**
   * Starts a replica of the measured database and an API that reads from it. @returns the API's address, and the
   * processes of the primary
   */
  async startWithReplica(): Promise<{ api: string; primary: () => number[] }> {
    const { production } = this.settings;
    const primary = await this.postgres();
    const folder = path.join(this.dataDir, 'replica');
    // A replica of another run lacks everything that was seeded since.
    rmSync(folder, { recursive: true, force: true });
    const replica = await prepareReplica(primary, folder, await freePort(), console.log);
    await this.run({ ...postgresProgram(replica, this.ofPostgres), name: 'replica' });
    const url = Object.assign(new URL(this.databaseUrl), { port: String(replica.port) }).href;
    const ports = { ...production.ports, api: await freePort(), apiMetrics: await freePort() };
    const program = apiProgram({ ...production, ports });
    await this.run({ ...program, name: 'api-replica', env: { ...program.env, DATABASE_READ_URL: url } });
    return { api: `http://127.0.0.1:${ports.api}`, primary: () => this.postgresPids() };
  }

  /** Returns the cluster with the measured database, for superuser access. */
  postgres(): Promise<Cluster> {
    return prepareCluster(path.join(this.dataDir, 'postgres'), this.settings.production.ports.postgres);
  }

  /** Returns the process ids of Postgres: one process per connection, and the background processes. */
  postgresPids(): number[] {
    return this.pidsOf((name) => name === 'postgres').flatMap(childrenOf);
  }

  /** Returns the process ids of the running parts that match. */
  pidsOf(matches: (name: string) => boolean): number[] {
    return this.started.filter((part) => part.isRunning() && matches(part.program.name)).map(({ pid }) => pid);
  }

  /** Stops the matching parts, one after another. */
  async end(matches: (name: string) => boolean): Promise<void> {
    for (const part of this.started.filter(({ program }) => matches(program.name))) await stop(part);
  }

  /** Starts a reference server. @returns its address */
  async startReference(organizationId: string): Promise<string> {
    const port = await freePort();
    const { urls } = this.settings.production;
    const connections = Number(this.environment['DATABASE_POOL'] ?? 16);
    const settings: ReferenceSettings = {
      organizationId,
      port,
      connections,
      ownerUrl: this.ownerUrl,
      backendUrl: urls.api,
    };
    await this.run(helper('referenceServer', this.environment, settings));
    return `http://127.0.0.1:${port}`;
  }

  /** Starts the product's own server with one route, with and without authentication. @returns its address */
  async startPlain(): Promise<string> {
    const port = await freePort();
    await this.run(helper('plainServer', this.environment, { port }));
    return `http://127.0.0.1:${port}`;
  }

  /**
   * Starts a worker for notifications and bulk work, which does not run during other measurements. @returns its process
   * id
   */
  async startNotificationWorker(queues = 'notify,bulk', more: NodeJS.ProcessEnv = {}): Promise<number> {
    const { production } = this.settings;
    const program = workerProgram({ ...production, ports: { ...production.ports, workerMetrics: await freePort() } });
    const env = { ...program.env, ...this.gateways, ...more, WORKER_QUEUES: queues };
    const workerPart = profiled({ ...program, name: 'worker-telling', env }, this.profiles);
    this.notificationWorker = await this.run(workerPart);
    return this.notificationWorker.pid;
  }

  async stopNotificationWorker(): Promise<void> {
    if (this.notificationWorker) await stop(this.notificationWorker);
  }

  startGenerator(): Promise<Generator> {
    return startGenerator({ ...this.environment, ...this.gateways });
  }

  /** Environment of the mail and push stand-ins, which production settings would not allow. */
  private get gateways(): NodeJS.ProcessEnv {
    const { production } = this.settings;
    const { NODE_ENV: _, ...environment } = production.environment;
    const pushes = Object.entries(pushEnvironment({ ...production, environment })).filter(([name]) =>
      name.startsWith('APNS'),
    );
    return { ...Object.fromEntries(pushes), SMTP_URL: `${production.urls.smtp}?ignoreTLS=true` };
  }

  /** Stops every process, in reverse order of start. */
  async stop(): Promise<void> {
    for (const part of this.started.toReversed()) await stop(part);
    forgetProcesses(this.dataDir);
  }

  /** Starts a part and waits until it can be used. @throws Error with the end of its log */
  async run(program: Program): Promise<Running> {
    const part = await this.launch(program);
    await untilReady(part);
    return part;
  }

  /**
   * Starts a process and records it. If this run is killed, its servers keep running; the next run finds them in this
   * record and ends them.
   */
  private async launch(program: Program): Promise<Running> {
    const part = await launch(program, path.join(this.dataDir, 'logs'));
    this.started.push(part);
    rememberProcesses(this.dataDir, Object.fromEntries(this.started.map(({ program: { name }, pid }) => [name, pid])));
    return part;
  }

  private async command(program: Program): Promise<void> {
    const part = await this.launch(program);
    const { code } = await part.ended;
    if (code !== 0) throw new Error(`${program.name} failed:\n${lastLines(part.logFile)}`);
  }

  private async startDatabase(seeded: ReturnType<typeof seededIn>, size: string, say: Say): Promise<void> {
    const { seed, production } = this.settings;
    const cluster = await this.postgres();
    await this.run(postgresProgram(cluster, this.ofPostgres));
    const owner = roleOf(this.ownerUrl);
    await withClient(superuserUrl(cluster), async (client) => {
      await ensureRole(client, owner);
      await ensureRole(client, roleOf(production.urls.database));
      if (!seeded.isThere) {
        say(`Seeding (${size}); stored for later runs …`);
        await recreateDatabase(client, seeded, owner.name);
        await this.command(ownerCommand(seed, 'bin/migrate', ['up']));
        await this.command(ownerCommand(seed, 'development/seed', ['--size', size]));
        seeded.keep();
      }
      await copySeed(client, seeded, MEASURED_DATABASE, owner.name);
    });
  }

  private async startTemporal(say: Say): Promise<void> {
    const executable = await findTemporal(say);
    const { temporal, temporalUi } = this.settings.production.ports;
    const databaseFile = deleteLastRun(this.dataDir);
    await this.run(temporalProgram({ executable, port: temporal, uiPort: temporalUi, databaseFile }));
  }
}
