/**
 * `npm test [-- jest arguments]`: installs and builds what is missing, runs the tests, and ends with the counts.
 * `node bin/test.mjs --services [file]` keeps Postgres and Temporal running for later runs until Ctrl-C.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureInstalled, ROOT } from './install.mjs';

/** Runs a program to its end, passing on the signals that we get. @returns its exit code */
async function run(args, environment = {}) {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  const [code, signal] = await new Promise((resolve) => child.once('exit', (...ending) => resolve(ending)));
  return signal ? 1 : code;
}

function keepServices([file = path.join(ROOT, '.data-test', 'services.json')]) {
  return run(['--import', 'tsx', path.join(ROOT, 'test/support/environment/keepServices.ts'), file]);
}

async function runTests(args) {
  // Tests that start real processes use dist/. Errors of types are the type check's to refuse, not the tests'.
  const built = spawnSync(process.execPath, [path.join(ROOT, 'bin/build.mjs')], { cwd: ROOT, stdio: 'inherit' });
  if (built.status !== 0) console.error('Testing what was written nevertheless.');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'membership-counts-'));
  const counts = path.join(folder, 'counts');
  const jest = path.join(ROOT, 'node_modules/jest/bin/jest.js');
  const code = await run([jest, ...args], { TEST_COUNTS_FILE: counts });
  const line = readCounts(counts);
  rmSync(folder, { recursive: true, force: true });
  console.log(`\n${line ?? '0 passed, 0 failed, 0 skipped'}`);
  return line ? code : code || 1;
}

function readCounts(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}

ensureInstalled();
const [first, ...others] = process.argv.slice(2);
process.exitCode = first === '--services' ? await keepServices(others) : await runTests(process.argv.slice(2));
