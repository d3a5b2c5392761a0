/**
 * The environment of one test file: its own database, task queues and folder. A file of pure unit tests has none of them, by
 * `@jest-environment node` in its first comment. One whose first comment has `@jest-environment-options {"seed": "large"}` has the
 * large seed, on a server of its own.
 */
import { randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { configureGlobal } from 'fast-check';
import { ModuleMocker } from 'jest-mock';
import { Client } from 'pg';
import { statOf } from '../../../development/stack/procStat';
import { databaseUrl, FACTS, type Facts, LARGE_SEED, OWNER, RUNTIME } from './facts';
import { type LargeSeed, startLargeSeed } from './largeSeed';
import { keepRealm } from './realm';
import { SEED } from '../seed';
import { refuseProcesses } from './refuseProcesses';
import { FAST, tierOf } from './tiers.cjs';
import { reuseWorkflowThreads } from './workflowThreads';

const TESTS = path.resolve(__dirname, '../..');

interface Configured {
  projectConfig: { testEnvironmentOptions: Record<string, unknown> };
}

export default class TestEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  private readonly restoreRealm = keepRealm();
  private readonly used = process.cpuUsage();
  private readonly childrenUsed = childrenSeconds();
  private readonly file: string;
  private readonly isFast: boolean;
  private readonly allowProcesses: () => void;
  private readonly facts = JSON.parse(process.env[FACTS] ?? 'null') as Facts | null;
  // The minute comes first, so that leftovers of killed runs can be distinguished from databases in use.
  private readonly name = `t_${Math.floor(Date.now() / 60_000)}_${randomBytes(5).toString('hex')}`;
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'membership-test-'));
  private readonly wantsLargeSeed: boolean;
  private largeSeed: LargeSeed | undefined;

  constructor({ projectConfig }: Configured, { testPath }: { testPath: string }) {
    this.wantsLargeSeed = projectConfig.testEnvironmentOptions['seed'] === 'large';
    this.file = path.relative(TESTS, testPath);
    this.isFast = tierOf(this.file) === FAST;
    this.allowProcesses = this.isFast ? refuseProcesses() : () => undefined;
  }

  /** No code runs in a separate context: the loader compiles for this realm (runtime.cjs). */
  readonly getVmContext = () => null;
  readonly exportConditions = () => ['node', 'node-addons'];

  async setup(): Promise<void> {
    const { facts, name } = this;
    configureGlobal({ seed: SEED });
    if (!this.isFast) reuseWorkflowThreads();
    if (!facts) throw new Error('The test services are not there: was globalSetup run?');
    const { port, database } = await this.makeDatabase(facts);
    Object.assign(process.env, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      // Tests read campaigns right after they have changed them.
      CAMPAIGN_CACHE_MS: '0',
      ...waitsOf(tierOf(this.file)),
      DATA_DIR: this.folder,
      DATABASE_URL: databaseUrl(port, RUNTIME, database),
      DATABASE_OWNER_URL: databaseUrl(port, OWNER, database),
      DATABASE_POOL: '8',
      // Tests of concurrent requests of one tenant need more than a quarter of this small pool.
      DATABASE_TENANT_SHARE: '4',
      TEMPORAL_ADDRESS: facts.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      TEMPORAL_TASK_QUEUE_PREFIX: `${name}.`,
      ...(facts.workflowBundle ? { WORKFLOW_BUNDLE: facts.workflowBundle } : {}),
    });
  }

  private async makeDatabase(facts: Facts): Promise<{ port: number; database: string }> {
    if (this.wantsLargeSeed) {
      const { port, password } = (this.largeSeed = await startLargeSeed());
      process.env[FACTS] = JSON.stringify({ ...facts, postgresPort: port, superuserPassword: password });
      return { port, database: LARGE_SEED };
    }
    // Copying its files costs a quarter of writing every page of it to the WAL.
    await this.asSuperuser((client) =>
      client.query(`CREATE DATABASE ${this.name} TEMPLATE ${facts.template} STRATEGY file_copy OWNER ${OWNER.name}`),
    );
    return { port: facts.postgresPort, database: this.name };
  }

  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    this.allowProcesses();
    const hadWorker = await endTemporalRuntime();
    this.restoreRealm();
    await this.largeSeed?.stop();
    await this.asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`));
    rmSync(this.folder, { recursive: true, force: true });
    this.tellProcessorTime();
    if (this.isFast && hadWorker) throw new Error(`${this.file} runs a worker: it belongs into test/scenarios.`);
  }

  /** The processor time of this file, in this process and in those that it started. */
  private tellProcessorTime(): void {
    const { user, system } = process.cpuUsage(this.used);
    const seconds = (user + system) / 1e6 + childrenSeconds() - this.childrenUsed;
    const into = process.env['TEST_TIMES_FILE'];
    if (into) appendFileSync(into, `${JSON.stringify({ file: this.file, seconds })}\n`);
  }

  private async asSuperuser(work: (client: Client) => Promise<unknown>): Promise<void> {
    if (!this.facts) return;
    const superuser = { name: 'postgres', password: this.facts.superuserPassword };
    const client = new Client({ connectionString: databaseUrl(this.facts.postgresPort, superuser, 'postgres') });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}

/**
 * How long answers wait for a process. In scenarios a worker runs, so answers say how a process ended, even on a loaded machine. In the
 * fast tier no worker runs, so no process ends. The release tier has the defaults, because it also waits for what does not happen.
 */
function waitsOf(tier: string): Record<string, string> {
  const seconds = { [FAST]: '0.5', scenarios: '30' }[tier];
  return seconds ? { PAY_WAIT_SECONDS: seconds, PROCESS_WATCH_SECONDS: seconds } : {};
}

const CLOCK_TICKS = 100;

/** Processor time of processes that this one has started and seen end, and theirs; known on Linux only (proc(5), cutime, cstime). */
function childrenSeconds(): number {
  try {
    const [cutime, cstime] = statOf('self').slice(13, 15);
    return (Number(cutime) + Number(cstime)) / CLOCK_TICKS;
  } catch {
    return 0;
  }
}

/** The SDK keeps one tracer for the process; each test file installs its own. @returns whether this file had one */
async function endTemporalRuntime(): Promise<boolean> {
  const { Runtime } = require('@temporalio/worker') as { Runtime: { _instance?: { shutdown(): Promise<void> } } };
  const runtime = Runtime._instance;
  await runtime?.shutdown();
  return runtime !== undefined;
}
