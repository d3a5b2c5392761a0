/**
 * Cases in which `npm start` refuses to run before any server starts.
 * @jest-environment node
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<'start' | 'test' | 'build', string>;
};

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(os.tmpdir(), 'start-test-'))));
afterEach(() => rmSync(folder, { recursive: true }));

/** The arguments of a script of package.json after `node`. */
const wordsOf = (script: string): string[] =>
  script
    .replace(/^exec /, '')
    .split(' ')
    .slice(1);

function start(environment: NodeJS.ProcessEnv, script = scripts.start, first: string[] = []) {
  const { DATABASE_URL: _d, TEMPORAL_ADDRESS: _t, ...rest } = process.env;
  const dataDir = path.join(folder, 'data');
  const { status, stdout, stderr } = spawnSync(process.execPath, [...first, ...wordsOf(script)], {
    cwd: ROOT,
    env: { ...rest, NODE_ENV: 'development', DATA_DIR: dataDir, ...environment },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, output: stdout + stderr, started: existsSync(dataDir) };
}

test.each([
  ['THROTTLE_LIMITS', '{"auht": 900}', 'THROTTLE_LIMITS: no such scope: auht'],
  ['FRONTEND_URL', 'localhost:3000', 'FRONTEND_URL: must be an origin'],
  ['BACKEND_URL', 'localhost:8000', 'BACKEND_URL: must be an origin'],
])('npm start refuses a wrong %s', (name, value, sentence) => {
  const { status, output, started } = start({ [name]: value });
  expect(output).toContain(sentence);
  expect(output).not.toMatch(/^\s+at /m);
  expect([status, started]).toEqual([1, false]);
});

test.each(['start', 'test', 'build'] as const)('npm run %s refuses an old Node', (script) => {
  const old = path.join(folder, 'old.cjs');
  writeFileSync(
    old,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });`,
  );
  const { status, output } = start({}, scripts[script], ['-r', old]);
  expect([status, output]).toEqual([1, 'This needs Node 20.19 or newer; this is 18.20.8.\n']);
});
