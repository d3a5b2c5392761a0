/** Before all tests: finds running test services or starts them, and prepares the databases that test files copy. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { FACTS, type Services } from './facts';

const ROOT = path.resolve(__dirname, '../../..');
const DATA = path.join(ROOT, '.data-test');
const START_SECONDS = 600;

declare global {
  // eslint-disable-next-line no-var -- the way to hand something to the global teardown.
  var testServicesKeeper: ChildProcess | undefined;
}

/** Programs of the environment run outside of Jest, which resolves and transforms modules in its own way. */
const script = (name: string) => ['--import', require.resolve('tsx'), path.join(__dirname, `${name}.ts`)];

/** Reads the file of services, if all their processes live. */
function runningServices(file: string): Services | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const services = JSON.parse(readFileSync(file, 'utf8')) as Services;
    for (const pid of Object.values(services.pids)) process.kill(pid, 0);
    return services;
  } catch {
    return undefined;
  }
}

async function startKeeper(file: string): Promise<void> {
  const keeper = spawn(process.execPath, [...script('keepServices'), file, '--until-stdin-closes'], {
    stdio: ['pipe', 'inherit', 'inherit'],
    cwd: ROOT,
    detached: true,
  });
  globalThis.testServicesKeeper = keeper;
  const deadline = Date.now() + START_SECONDS * 1000;
  while (!existsSync(file)) {
    if (keeper.exitCode !== null) throw new Error('The test services did not start; the reason is above.');
    if (Date.now() > deadline) throw new Error(`The test services were not ready after ${START_SECONDS} s.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Jest calls this once per run. */
export default async function globalSetup(): Promise<void> {
  const started = Date.now();
  const kept = process.env['TEST_SERVICES'] ?? path.join(DATA, 'services.json');
  const reused = runningServices(kept) !== undefined;
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'membership-run-'));
  const file = reused ? kept : path.join(scratch, 'services.json');
  if (!reused) await startKeeper(file);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [...script('prepare'), file, DATA], {
    cwd: ROOT,
    maxBuffer: 16_777_216,
    env: { ...process.env, NODE_ENV: 'test', LOG_LEVEL: 'silent' },
  }).finally(() => rmSync(scratch, { recursive: true, force: true }));
  if (stderr) console.error(stderr.trimEnd());
  // Workers are forked after this and inherit it.
  process.env[FACTS] = stdout.trimEnd().split('\n').at(-1);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.error(`Test services ${reused ? 'reused' : 'started'} and prepared in ${seconds} s.`);
}
