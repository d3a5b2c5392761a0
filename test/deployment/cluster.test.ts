/**
 * `npm run cluster`: Temporal's own server in two nodes on Postgres, two APIs, two workers and a pooler. A node that is killed
 * during payments loses nothing, and a new release does not run old histories.
 * @jest-environment node
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client as Temporal, Connection } from '@temporalio/client';
import { installedTemporalServer, installedTemporalUi } from '../../development/stack/cluster/findTemporalServer.js';
import { CLUSTER_PARTS, CLUSTER_PORTS } from '../../development/stack/cluster/settings.js';
import { findConsecutivePorts } from '../../development/stack/ports.js';
import { identityOf } from '../../development/stack/processIdentity.js';
import { PORTS } from '../../development/stack/settings.js';
import { SCHEDULES } from '../../workflows/schedules.js';
import { Client } from '../support/api.js';

const ROOT = path.resolve(__dirname, '../..');
const isInstalled = installedTemporalServer() !== undefined && installedTemporalUi() !== undefined;
const BUNDLE = path.join(ROOT, 'dist', 'workflow-bundle.js');
const PAYMENTS = 16;

interface Facts {
  base_url: string;
  temporal_address: string;
  gateway: { ledger_url: string };
  database: { owner_url: string };
  pids: Record<string, number>;
  organizations: { slug: string; users: { officer: { email: string; password: string; chapter_id: string } } }[];
}

let folder: string;
let supervisor: ChildProcess;
let environment: NodeJS.ProcessEnv;

const log = () => readFileSync(path.join(folder, 'cluster.log'), 'utf8');
const facts = () => JSON.parse(readFileSync(path.join(folder, 'demo.json'), 'utf8')) as Facts;
const runs = (pid: number) => identityOf(pid) !== undefined;

async function until(what: string, come: () => Promise<boolean> | boolean): Promise<void> {
  for (const deadline = Date.now() + 170_000; !(await come()); await sleep(200))
    if (Date.now() > deadline || supervisor.exitCode !== null) throw new Error(`${what} did not come about:\n${log()}`);
}

async function start(): Promise<void> {
  folder = mkdtempSync(path.join(os.tmpdir(), 'membership-cluster-'));
  // Postgres may have to run as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  environment = { NODE_ENV: 'development', DATA_DIR: folder, LOG_LEVEL: 'warn', TEMPORAL_BUILD_ID: 'release-1' };
  for (const name of ['PATH', 'HOME', 'USER', 'TMPDIR', 'XDG_CACHE_HOME']) environment[name] = process.env[name];
  const single = Object.values(PORTS);
  const first = await findConsecutivePorts(single.length + CLUSTER_PORTS.count);
  for (const [n, { variable }] of single.entries()) environment[variable] = String(first + n);
  environment[CLUSTER_PORTS.variable] = String(first + single.length);
  // Started like npm does: it ends when this process ends.
  environment['npm_lifecycle_event'] = 'cluster';
  const output = openSync(path.join(folder, 'cluster.log'), 'a');
  const program = path.join(ROOT, 'dist', 'development', 'start.js');
  supervisor = spawn(process.execPath, [program, '--cluster'], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', output, output],
  });
  await until('The cluster', () => log().includes('Ready after'));
}

async function stop(): Promise<number | null> {
  if (supervisor.exitCode === null && supervisor.signalCode === null) {
    supervisor.kill('SIGINT');
    await once(supervisor, 'exit');
  }
  return supervisor.exitCode;
}

/** One of our programs beside the cluster, which it finds by itself. */
function dist(program: string, args: string[] = [], more: NodeJS.ProcessEnv = {}): ChildProcess {
  const { PATH, HOME } = environment;
  const env = {
    PATH,
    HOME,
    NODE_ENV: 'development',
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
    WORKFLOW_BUNDLE: BUNDLE,
    ...more,
  };
  return spawn(process.execPath, [path.join(ROOT, 'dist', 'bin', `${program}.js`), ...args], { env });
}

/** The output of a command until it has ended. */
async function ended(command: ChildProcess): Promise<string> {
  let printed = '';
  for (const stream of [command.stdout, command.stderr]) stream?.on('data', (text) => (printed += text));
  await once(command, 'close');
  return printed;
}

const builds = (...args: string[]) => ended(dist('builds', args));

const captures = async (id: string): Promise<number> =>
  ((await (await fetch(`${facts().gateway.ledger_url}?remittance_id=${id}`)).json()) as unknown[]).length;

/** The builds that carried out the payments of these remittances. */
async function buildsOf(ids: string[]): Promise<string[][]> {
  const [address = ''] = facts().temporal_address.split(',');
  const connection = await Connection.connect({ address });
  const { workflow } = new Temporal({ connection });
  const found = ids.map(async (id) => {
    const decided = new Set<string>();
    for await (const { workflowId } of workflow.list({
      query: `ProcessKind = 'remittance_payment' AND SubjectId = '${id}'`,
    })) {
      const { events } = await workflow.getHandle(workflowId).fetchHistory();
      for (const { workflowTaskCompletedEventAttributes: done } of events ?? [])
        if (done) decided.add(done.deploymentVersion?.buildId ?? 'none');
    }
    return [...decided];
  });
  return Promise.all(found).finally(() => void connection.close());
}

/** Invoices that are in a remittance. */
const gathered = new Set<string>();

/** A client that creates a remittance for each open invoice, and pays it. */
async function anOfficer() {
  const { base_url: url, organizations } = facts();
  const { slug, users } = organizations[0] as Facts['organizations'][number];
  const { email, password, chapter_id: chapter } = users.officer;
  const native = new Client(url, { headers: { 'X-Client': 'native' } });
  const login = await native.post('/api/auth/login/', { email, password, organization: slug });
  expect(login.status).toBe(200);
  const client = new Client(url, { token: login.body.access_token });
  const states = async (ids: string[]) =>
    (await Promise.all(ids.map((id) => client.get(`/api/billing/remittances/${id}/`)))).map(
      ({ body }) => body.status as string,
    );
  return {
    async drafts(count: number): Promise<string[]> {
      const query = 'payer_type=member&status=open&page_size=100';
      const { results } = (await client.get(`/api/chapters/${chapter}/invoices/?${query}`)).body as {
        results: { id: string; balance_due_cents: number }[];
      };
      const ids: string[] = [];
      const free = results.filter(({ id }) => !gathered.has(id)).slice(0, count);
      for (const { id: invoice, balance_due_cents: cents } of free) {
        gathered.add(invoice);
        const allocations = [{ invoice, amount_cents: cents }];
        const { status, body } = await client.post('/api/billing/remittances/', { chapter, allocations });
        expect(status).toBe(201);
        ids.push(body.id);
      }
      expect(ids).toHaveLength(count);
      return ids;
    },
    async pay(id: string): Promise<string> {
      const path = `/api/billing/remittances/${id}/pay/`;
      const { status, body } = await client.post(path, { payment_method: 'pm_card_visa' });
      return status === 200 ? 'settled' : `${status} ${body.code}`;
    },
    settled: (ids: string[]) =>
      until('The end of all payments', async () => (await states(ids)).every((status) => status === 'settled')),
  };
}

// Where the server is missing, building it takes minutes and a network: `npm run cluster` does so once.
const cluster = isInstalled ? describe : describe.skip;
const why = isInstalled ? '' : " (skipped: Temporal's server is not in the cache; npm run cluster builds it)";

cluster(`a cluster${why}`, () => {
  beforeAll(start);

  afterAll(async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  test('the cluster knows every part by its process, and has each schedule once', async () => {
    const { pids, temporal_address: addresses } = facts();
    expect(CLUSTER_PARTS.filter((name) => !runs(pids[name] ?? 0))).toEqual([]);
    // Either node answers for both.
    for (const address of addresses.split(',')) {
      const connection = await Connection.connect({ address });
      const found: string[] = [];
      for await (const { scheduleId } of new Temporal({ connection }).schedule.list()) found.push(scheduleId);
      await connection.close();
      expect(found.toSorted()).toEqual(SCHEDULES.map(({ id }) => id).toSorted());
    }
  });

  test('payments that began on a release end on it, and later payments begin on the next release', async () => {
    const next = dist('worker', [], {
      TEMPORAL_BUILD_ID: 'release-2',
      SMTP_URL: `smtp://127.0.0.1:${environment[PORTS.smtp.variable]}`,
    });
    const current = async (build: string) => (await builds('--current', build)).includes(`${build}  current`);
    try {
      await until('The first build', async () => (await builds()).startsWith('release-1  current'));
      const officer = await anOfficer();
      const [before, after] = [await officer.drafts(4), await officer.drafts(4)];
      const paying = Promise.all(before.map((id) => officer.pay(id)));
      await until('A capture', async () => (await Promise.all(before.map(captures))).includes(1));
      await until('The next build', () => current('release-2'));
      const answers = await Promise.all([paying, Promise.all(after.map((id) => officer.pay(id)))]);
      for (const answer of answers.flat()) expect(['settled', '409 remittance_in_progress']).toContain(answer);
      await officer.settled([...before, ...after]);
      expect(await Promise.all([...before, ...after].map(captures))).toEqual(Array.from({ length: 8 }, () => 1));
      const [begunBefore, begunAfter] = [await buildsOf(before), await buildsOf(after)];
      expect(begunBefore.filter(({ length }) => length !== 1)).toEqual([]);
      expect(begunBefore.flat()).toContain('release-1');
      expect(begunAfter).toEqual(after.map(() => ['release-2']));
      await until('The way back', () => current('release-1'));
    } finally {
      next.kill('SIGTERM');
      await once(next, 'exit');
    }
  });

  test('killing a node during payments leaves each payment answered, settled and captured once', async () => {
    const officer = await anOfficer();
    const ids = await officer.drafts(PAYMENTS);
    const paying = Promise.all(ids.map((id) => officer.pay(id)));
    await until('A capture', async () => (await Promise.all(ids.map(captures))).includes(1));
    process.kill(facts().pids['temporal-1'] as number, 'SIGKILL');
    for (const answer of await paying) expect(['settled', '409 remittance_in_progress']).toContain(answer);

    await officer.settled(ids);
    expect(await Promise.all(ids.map(captures))).toEqual(ids.map(() => 1));
    const books = await ended(dist('check-ledger', [], { DATABASE_OWNER_URL: facts().database.owner_url }));
    expect(books).toContain('0 violations');
    await until('The node', () => log().includes('temporal-1 is running again'));
  });

  test('Ctrl-C ends every part of the cluster', async () => {
    const pids = Object.values(facts().pids).filter(Boolean);
    expect(await stop()).toBe(0);
    expect(pids.filter(runs)).toEqual([]);
  });
});
