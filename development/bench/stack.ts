/** Everything that is measured, each part in a process of its own as in production, on free ports and data of its own. */
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
import { copySeed, forgetLastRun, makeRoom, seededIn } from './seeded.js';

const MEASURED = 'measured';
/** As durable as Postgres comes; memory for the tables that are read. */
const POSTGRES = { max_connections: 160, shared_buffers: '512MB', max_wal_size: '4GB' };
/** With connections for several nodes of Temporal, and statements counted. */
const COUNTING = {
  ...POSTGRES,
  max_connections: 400,
  shared_preload_libraries: 'pg_stat_statements',
  // Those that it forgets would be missing.
  'pg_stat_statements.max': 20_000,
};

type Say = (line: string) => void;

export class BenchStack {
  private readonly started: Running[] = [];
  private telling: Running | undefined;
  private constructor(
    readonly settings: BenchSettings,
    private readonly dataDir: string,
    private readonly profiles: string | undefined,
    private readonly ofPostgres: typeof POSTGRES,
  ) {}

  /**
   * Starts servers, API and worker over a fresh copy of the seed.
   * @param profiles folder for a profile of the API
   * @param counts whether Postgres counts statements, and has room for a cluster of Temporal
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
    const settings = await benchSettings(dataDir, secrets, { database: MEASURED, seeded: seeded.database });
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

  /** For what a part keeps. */
  folder(name: string): string {
    return path.join(this.dataDir, name);
  }

  /** Of the runtime role. */
  get databaseUrl(): string {
    return this.settings.production.urls.database;
  }

  get apiUrl(): string {
    return `http://127.0.0.1:${this.settings.production.ports.api}`;
  }

  /** The environment that the API has. */
  get environment(): NodeJS.ProcessEnv {
    return apiProgram(this.settings.production).env ?? {};
  }

  get apiPids(): number[] {
    return this.started.filter(({ program }) => program.name.startsWith('api')).map(({ pid }) => pid);
  }

  /** Another process of the API beside the first. @returns its address */
  async startSecondApi(): Promise<string> {
    const { production } = this.settings;
    const ports = { ...production.ports, api: await freePort(), apiMetrics: await freePort() };
    await this.run({ ...apiProgram({ ...production, ports }), name: 'api-2' });
    return `http://127.0.0.1:${ports.api}`;
  }

  /** A replica of what is measured, and an API that reads there. @returns its address, and the processes of the primary */
  async startWithReplica(): Promise<{ api: string; primary: () => number[] }> {
    const { production } = this.settings;
    const primary = await this.postgres();
    const folder = path.join(this.dataDir, 'replica');
    // Of another run: it lacks all that was seeded since.
    rmSync(folder, { recursive: true, force: true });
    const replica = await prepareReplica(primary, folder, await freePort(), console.log);
    await this.run({ ...postgresProgram(replica, this.ofPostgres), name: 'replica' });
    const url = Object.assign(new URL(this.databaseUrl), { port: String(replica.port) }).href;
    const ports = { ...production.ports, api: await freePort(), apiMetrics: await freePort() };
    const program = apiProgram({ ...production, ports });
    await this.run({ ...program, name: 'api-replica', env: { ...program.env, DATABASE_READ_URL: url } });
    return { api: `http://127.0.0.1:${ports.api}`, primary: () => this.postgresPids() };
  }

  /** How to reach what is measured as its superuser. */
  postgres(): Promise<Cluster> {
    return prepareCluster(path.join(this.dataDir, 'postgres'), this.settings.production.ports.postgres);
  }

  /** The processes of its connections, and those that work for all. */
  postgresPids(): number[] {
    return this.pidsOf((name) => name === 'postgres').flatMap(childrenOf);
  }

  /** The processes of parts that run. */
  pidsOf(isMeant: (name: string) => boolean): number[] {
    return this.started.filter((part) => part.isRunning() && isMeant(part.program.name)).map(({ pid }) => pid);
  }

  /** Ends parts, one after another. */
  async end(isMeant: (name: string) => boolean): Promise<void> {
    for (const part of this.started.filter(({ program }) => isMeant(program.name))) await stop(part);
  }

  /** @returns the reference server's address */
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

  /** @returns the address of the product's own server with one route, with and without authentication */
  async startPlain(): Promise<string> {
    const port = await freePort();
    await this.run(helper('plainServer', this.environment, { port }));
    return `http://127.0.0.1:${port}`;
  }

  /** A worker of what is told or takes long, which rests while other things are measured. @returns its process */
  async startTellingWorker(queues = 'notify,bulk', more: NodeJS.ProcessEnv = {}): Promise<number> {
    const { production } = this.settings;
    const program = workerProgram({ ...production, ports: { ...production.ports, workerMetrics: await freePort() } });
    const env = { ...program.env, ...this.gateways, ...more, WORKER_QUEUES: queues };
    const telling = profiled({ ...program, name: 'worker-telling', env }, this.profiles);
    this.telling = await this.run(telling);
    return this.telling.pid;
  }

  async stopTellingWorker(): Promise<void> {
    if (this.telling) await stop(this.telling);
  }

  startGenerator(): Promise<Generator> {
    return startGenerator({ ...this.environment, ...this.gateways });
  }

  /** Mail and push as they are played here; production would have them encrypted, and real. */
  private get gateways(): NodeJS.ProcessEnv {
    const { production } = this.settings;
    const { NODE_ENV: _, ...environment } = production.environment;
    const pushes = Object.entries(pushEnvironment({ ...production, environment })).filter(([name]) =>
      name.startsWith('APNS'),
    );
    return { ...Object.fromEntries(pushes), SMTP_URL: `${production.urls.smtp}?ignoreTLS=true` };
  }

  /** Ends every process, the last started first. */
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

  /** A run that was killed leaves its servers; the next one finds them by what is written down here. */
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
        say(`Seeding (${size}); it is kept for the next run …`);
        await makeRoom(client, seeded, owner.name);
        await this.command(ownerCommand(seed, 'bin/migrate', ['up']));
        await this.command(ownerCommand(seed, 'development/seed', ['--size', size]));
        seeded.keep();
      }
      await copySeed(client, seeded, MEASURED, owner.name);
    });
  }

  private async startTemporal(say: Say): Promise<void> {
    const executable = await findTemporal(say);
    const { temporal, temporalUi } = this.settings.production.ports;
    const databaseFile = forgetLastRun(this.dataDir);
    await this.run(temporalProgram({ executable, port: temporal, uiPort: temporalUi, databaseFile }));
  }
}
