/**
 * The supervisor of `npm start`: what it does when a part dies, when it is stopped, and when it was killed itself.
 * @jest-environment node
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { endLeftBehind, rememberProcesses } from '../../development/stack/leftBehind.js';
import { freePort } from '../../development/stack/ports.js';
import { identityOf } from '../../development/stack/processIdentity.js';
import { type Program, rotateLog } from '../../development/stack/program.js';
import { refuseTakenPorts } from '../../development/stack/refuseTakenPorts.js';
import { PORTS, readSettings } from '../../development/stack/settings.js';
import { Supervisor } from '../../development/stack/supervisor.js';

const IDLE = 'setInterval(() => {}, 1000);';
let folder: string;
let messages: string[];
let supervisor: Supervisor;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'stack-test-'));
  messages = [];
  supervisor = new Supervisor(
    path.join(folder, 'logs'),
    (line) => messages.push(line),
    () => undefined,
  );
});

afterEach(async () => {
  await supervisor.stop([]);
  rmSync(folder, { recursive: true });
});

const aProgram = (name: string, script: string, differences: Partial<Program> = {}): Program => ({
  name,
  command: process.execPath,
  args: ['-e', script],
  stopSignal: 'SIGTERM',
  isReady: async () => true,
  ...differences,
});

async function eventually(check: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!check()) {
    if (Date.now() > deadline) throw new Error(`It did not come about. Said: ${messages.join(' | ')}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const runs = (pid: number | undefined) => identityOf(pid ?? 0) !== undefined;

test('a part that dies is started again, and its new process is recorded', async () => {
  await supervisor.start(aProgram('api', IDLE));
  const { api } = supervisor.pids();
  process.kill(api as number, 'SIGKILL');
  await eventually(() => supervisor.pids()['api'] !== undefined && supervisor.pids()['api'] !== api);
  expect(messages[0]).toBe('api ended (by SIGKILL); restarting it in 1 s.');
});

test('a part that cannot start is reported with the end of its log', async () => {
  const broken = aProgram('api', 'console.error("no database"); process.exit(3)', { isReady: async () => false });
  await expect(supervisor.start(broken)).rejects.toThrow(/api ended while starting[^]*no database/);
});

test('a command that fails is reported with the end of its log, and one that succeeds is not', async () => {
  await supervisor.run(aProgram('seed', 'console.log("fine")'));
  const failing = aProgram('migrate', 'console.error("relation is missing"); process.exit(1)');
  await expect(supervisor.run(failing)).rejects.toThrow(/migrate failed[^]*relation is missing/);
});

test('parts are stopped one after another in the given order, and none is started again', async () => {
  const goodbye = (name: string) =>
    `process.on('SIGTERM', () => { require('fs').appendFileSync(${JSON.stringify(folder)} + '/order', '${name} '); process.exit() }); ${IDLE} console.log('up')`;
  const isUp = (name: string) => async () => readFileSync(`${folder}/logs/${name}.log`, 'utf8').includes('up');
  for (const name of ['postgres', 'api', 'worker'])
    await supervisor.start(aProgram(name, goodbye(name), { isReady: isUp(name) }));
  const pids = Object.values(supervisor.pids());
  await supervisor.stop(['api', 'worker', 'postgres']);
  expect(readFileSync(`${folder}/order`, 'utf8')).toBe('api worker postgres ');
  expect(pids.filter(runs)).toEqual([]);
});

test('a part ends when its supervisor was killed', async () => {
  const module = path.resolve('bin/serving/exitWithSupervisor.ts');
  const part = path.join(folder, 'part.cts');
  writeFileSync(part, `require(${JSON.stringify(module)}).exitWithSupervisor(); ${IDLE} process.send('up');`);
  const parent = `const child = require('child_process').spawn(process.execPath,
    ['--require', ${JSON.stringify(require.resolve('tsx/cjs'))}, ${JSON.stringify(part)}],
    { stdio: ['ignore', 'ignore', 'inherit', 'ipc'], detached: true });
    child.on('message', () => console.log(child.pid));`;
  const killed = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(killed.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(runs(pid)).toBe(true);
  killed.kill('SIGKILL');
  await eventually(() => !runs(pid));
});

test('the next start ends parts of a killed supervisor, and leaves another process with a reused pid alone', async () => {
  const leftover = spawn(process.execPath, ['-e', IDLE], { stdio: 'ignore' });
  const stranger = spawn(process.execPath, ['-e', IDLE], { stdio: 'ignore' });
  rememberProcesses(folder, { temporal: leftover.pid as number, api: stranger.pid as number });
  const file = path.join(folder, 'processes.json');
  type Entry = { name: string; identity: string };
  const entries = (JSON.parse(readFileSync(file, 'utf8')) as Entry[]).filter(({ name }) => name !== 'supervisor');
  for (const entry of entries) if (entry.name === 'api') entry.identity = 'an earlier process';
  writeFileSync(file, JSON.stringify(entries));
  await endLeftBehind(folder, (line) => messages.push(line));
  expect([runs(leftover.pid), runs(stranger.pid)]).toEqual([false, true]);
  expect(messages).toEqual(['Stopping processes of an interrupted start: temporal …']);
  stranger.kill();
});

test('a second start in the same folder is refused', async () => {
  rememberProcesses(folder, {});
  await expect(endLeftBehind(folder, () => undefined)).rejects.toThrow(`process ${process.pid}): stop that one first`);
});

describe('ports', () => {
  /** An environment in which every port is free. */
  async function freePorts(): Promise<Record<string, string>> {
    const variables = Object.values(PORTS).map(({ variable }) => variable);
    const ports = await Promise.all(variables.map(() => freePort()));
    return Object.fromEntries(variables.map((variable, index) => [variable, String(ports[index])]));
  }

  test('a port in use is reported with the variable that changes it', async () => {
    const environment = await freePorts();
    const server = net.createServer().listen(Number(environment['GATEWAY_PORT']), '127.0.0.1');
    await once(server, 'listening');
    await expect(refuseTakenPorts(readSettings(environment))).rejects.toThrow(
      `Port ${environment['GATEWAY_PORT']} for the payment gateway is in use by another program: set GATEWAY_PORT to a free port.`,
    );
    await refuseTakenPorts(readSettings({ ...environment, STRIPE_API_URL: 'https://gateway.example.org' }));
    server.close();
  });

  test('a port that two parts use is refused, and so is an invalid port', async () => {
    const environment = await freePorts();
    const twice = readSettings({ ...environment, SMTP_PORT: environment['PORT'] });
    await expect(refuseTakenPorts(twice)).rejects.toThrow(
      'is configured for both the API and the mail catcher: set SMTP_PORT',
    );
    expect(() => readSettings({ MAILBOX_PORT: 'many' })).toThrow('MAILBOX_PORT must be a port, 1 to 65535.');
  });
});

test('settings point to embedded servers unless real ones are given', () => {
  const embedded = readSettings({ POSTGRES_PORT: '6001' });
  expect(embedded.urls.database).toBe('postgres://membership_runtime:runtime@127.0.0.1:6001/membership');
  expect(embedded.external).toEqual({});
  const real = readSettings({ DATABASE_URL: 'postgres://a:b@db/c', TEMPORAL_ADDRESS: 'temporal:7233' });
  expect(real.external).toEqual({ database: 'postgres://a:b@db/c', temporal: 'temporal:7233' });
  expect(real.urls.owner).toBeUndefined();
});

test('a few logs of earlier starts are kept beside the new one', () => {
  const file = path.join(folder, 'api.log');
  for (const start of ['1', '2', '3', '4', '5']) {
    rotateLog(file);
    writeFileSync(file, start);
  }
  const contents = ['', '.1', '.2', '.3', '.4'].map((ending) => {
    try {
      return readFileSync(`${file}${ending}`, 'utf8');
    } catch {
      return undefined;
    }
  });
  expect(contents).toEqual(['5', '4', '3', '2', undefined]);
});
