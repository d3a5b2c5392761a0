/**
 * The world of one test file: a database of its own, task queues of its own, a folder of its own.
 * A file of pure unit tests goes without, by `@jest-environment node` in its first comment.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ModuleMocker } from 'jest-mock';
import { Client } from 'pg';
import { databaseUrl, FACTS, type Facts, OWNER, RUNTIME } from './facts';
import { keepRealm } from './realm';

export default class TestEnvironment {
  readonly global = globalThis;
  readonly moduleMocker = new ModuleMocker(globalThis);
  readonly fakeTimers = null;
  readonly fakeTimersModern = null;
  private readonly restoreRealm = keepRealm();
  private readonly facts = JSON.parse(process.env[FACTS] ?? 'null') as Facts | null;
  // The minute comes first, so that leftovers of killed runs can be told from databases in use.
  private readonly name = `t_${Math.floor(Date.now() / 60_000)}_${randomBytes(5).toString('hex')}`;
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'membership-test-'));

  /** Nothing runs in a context of its own: the loader compiles for this realm (runtime.cjs). */
  readonly getVmContext = () => null;
  readonly exportConditions = () => ['node', 'node-addons'];

  async setup(): Promise<void> {
    const { facts, name } = this;
    if (!facts) throw new Error('The test services are not there: was globalSetup run?');
    await this.asSuperuser((client) =>
      client.query(`CREATE DATABASE ${name} TEMPLATE ${facts.template} OWNER ${OWNER.name}`),
    );
    Object.assign(process.env, {
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATA_DIR: this.folder,
      DATABASE_URL: databaseUrl(facts.postgresPort, RUNTIME, name),
      DATABASE_OWNER_URL: databaseUrl(facts.postgresPort, OWNER, name),
      DATABASE_POOL: '8',
      // Races of one tenant's requests want more than a quarter of so few.
      DATABASE_TENANT_SHARE: '4',
      TEMPORAL_ADDRESS: facts.temporalAddress,
      TEMPORAL_NAMESPACE: 'default',
      TEMPORAL_TASK_QUEUE_PREFIX: `${name}.`,
      ...(facts.workflowBundle ? { WORKFLOW_BUNDLE: facts.workflowBundle } : {}),
    });
  }

  async teardown(): Promise<void> {
    this.moduleMocker.restoreAllMocks();
    await endTemporalRuntime();
    this.restoreRealm();
    await this.asSuperuser((client) => client.query(`DROP DATABASE IF EXISTS ${this.name} WITH (FORCE)`));
    rmSync(this.folder, { recursive: true, force: true });
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

/** The SDK keeps one for the process; each test file installs its own. */
async function endTemporalRuntime(): Promise<void> {
  const { Runtime } = require('@temporalio/worker') as { Runtime: { _instance?: { shutdown(): Promise<void> } } };
  await Runtime._instance?.shutdown();
}
