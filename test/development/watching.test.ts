/**
 * `npm run dev`: which parts a change restarts, and that they run the new code.
 * @jest-environment node
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Supervisor } from '../../development/stack/supervisor.js';
import { compileChanged } from '../../development/watching/compileChanged.js';
import { partsThatLoad } from '../../development/watching/partsThatLoad.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'watching-test-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

test.each([
  ['a route', 'api/organizations/regions/routes.ts', ['api']],
  ['a step', 'activities/finances/applyProcessorEvent.ts', ['worker']],
  ['a workflow', 'workflows/payRemittance.ts', ['worker']],
  ['what a process and its callers agree on', 'workflows/contracts/payRemittance.ts', ['api', 'worker', 'bounces']],
  ['an operation that both call', 'models/database/outbox.ts', ['api', 'worker', 'bounces']],
  ['a definition of the database', 'models/database/schema/identity/definitions/load_actor.sql', ['api', 'worker']],
  ['the stand-in of the gateway', 'development/standins/payments/server.ts', ['gateway']],
  ['a command that does not run', 'development/demo.ts', []],
])('a change of %s restarts the parts that load it', (_what, source, parts) => {
  expect(existsSync(source)).toBe(true);
  expect(partsThatLoad([source])).toEqual(parts);
});

test('a source is compiled to its path in the build, and its output is deleted with it', async () => {
  const source = path.join(folder, 'one.ts');
  const built = path.join(folder, 'dist/one.js');
  writeFileSync(source, 'export const one: number = 1;\n');
  await compileChanged('one.ts', folder);
  expect(readFileSync(built, 'utf8')).toMatch(/exports, "one"[^]*one = 1[^]*sourceMappingURL=one\.js\.map/);
  rmSync(source);
  await compileChanged('one.ts', folder);
  expect(existsSync(built)).toBe(false);
});

test('a restarted part runs its new code, and is not reported as dead', async () => {
  const messages: string[] = [];
  const supervisor = new Supervisor(
    path.join(folder, 'logs'),
    (line) => messages.push(line),
    () => undefined,
  );
  const script = path.join(folder, 'part.cjs');
  const answer = path.join(folder, 'answer');
  const write = (text: string) =>
    writeFileSync(
      script,
      `require('fs').writeFileSync(${JSON.stringify(answer)}, '${text}'); setInterval(() => {}, 1000);`,
    );
  const isReady = async () => existsSync(answer);
  try {
    write('old');
    await supervisor.start({ name: 'part', command: process.execPath, args: [script], stopSignal: 'SIGTERM', isReady });
    const before = supervisor.pids()['part'];
    write('new');
    rmSync(answer);
    await supervisor.restart('part');
    expect(readFileSync(answer, 'utf8')).toBe('new');
    expect(supervisor.pids()['part']).not.toBe(before);
    expect(messages).toEqual([]);
  } finally {
    await supervisor.stop([]);
  }
});
