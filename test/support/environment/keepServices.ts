/**
 * A process that keeps the tests' servers: `keepServices.ts <file> [--until-stdin-closes]`. It writes how to reach them to the
 * file, and deletes the file when it ends.
 */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { startServices } from './services.js';

async function keep(file: string): Promise<number> {
  const asked = new Promise<string>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
    if (!process.argv.includes('--until-stdin-closes')) return;
    // This also happens when the test run was killed: a pipe closes with its process.
    process.stdin.on('close', () => resolve('the tests ended')).resume();
  });
  const say = (line: string) => console.error(line);
  const { services, broken, close } = await startServices(say);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(services, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
  say(`Test services are ready: Postgres on port ${services.postgres.port}, Temporal at ${services.temporal.address}.`);

  const failed = await Promise.race([asked.then(() => undefined), broken]);
  if (failed) say(`${failed} ended by itself; stopping the test services.`);
  rmSync(file, { force: true });
  await close();
  return failed ? 1 : 0;
}

const [file] = process.argv.slice(2);
if (!file) throw new Error('Usage: keepServices <file> [--until-stdin-closes]');
keep(path.resolve(file)).then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(error.message);
    process.exit(1);
  },
);
