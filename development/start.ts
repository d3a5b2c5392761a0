/**
 * `npm start`: runs the whole platform on this machine until Ctrl-C. `npm run dev` also restarts programs when their
 * sources change; `npm run cluster` runs two APIs, two workers and two Temporal nodes. Development only.
 */
import { removeDemoFacts, writeDemoFacts } from './stack/demoFacts.js';
import { endLeftBehind, forgetProcesses, rememberProcesses } from './stack/leftBehind.js';
import { refuseTakenPorts } from './stack/refuseTakenPorts.js';
import { readSettings, type StackSettings } from './stack/settings.js';
import { STOP_ORDER, startStack } from './stack/startStack.js';
import { Supervisor } from './stack/supervisor.js';
import { welcome } from './stack/welcome.js';
import { watchSources } from './watching/watchSources.js';

const say = (line: string): void => console.log(line);

async function main(): Promise<void> {
  const watch = process.argv.includes('--watch');
  const settings = readSettings(process.env, { cluster: process.argv.includes('--cluster'), watch });
  await endLeftBehind(settings.dataDir, say);
  await refuseTakenPorts(settings);
  removeDemoFacts(settings.dataDir);

  let ready = false;
  const supervisor = new Supervisor(settings.logs, say, () => {
    rememberProcesses(settings.dataDir, supervisor.pids());
    if (ready) writeDemoFacts(settings, supervisor.pids());
  });
  stopOnSignal(settings, supervisor);
  stopWithNpm(settings, supervisor);
  // Ignore errors of the output. If the terminal or pipe closes, this process must go on until it has stopped all
  // parts.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    console.error(error);
    void end(settings, supervisor, 1);
  });
  try {
    await startStack(settings, supervisor, say);
    ready = true;
    writeDemoFacts(settings, supervisor.pids());
    say(`Ready after ${Math.round(process.uptime())} s.\n${welcome(settings, supervisor.pids())}`);
    if (watch) watchSources(settings, supervisor, say);
  } catch (error) {
    console.error((error as Error).message);
    await end(settings, supervisor, 1);
  }
}

/**
 * npm and the terminal both deliver the first Ctrl-C, so signals within this time count as one. A later signal stops
 * everything at once.
 */
const SAME_SIGNAL_MS = 500;
let ending = false;

function stopOnSignal(settings: StackSettings, supervisor: Supervisor): void {
  let first = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!ending) {
        first = Date.now();
        say('\nStopping; press Ctrl-C again to stop at once …');
        void end(settings, supervisor, 0);
        return;
      }
      if (Date.now() - first < SAME_SIGNAL_MS) return;
      supervisor.kill();
      forgetProcesses(settings.dataDir);
      process.exit(1);
    });
}

/** Stops the platform when the npm process that started it is killed, because nothing else would. */
function stopWithNpm(settings: StackSettings, supervisor: Supervisor): void {
  if (!['start', 'dev', 'cluster'].includes(process.env['npm_lifecycle_event'] ?? '')) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void end(settings, supervisor, 0);
  }, 1000).unref();
}

async function end(settings: StackSettings, supervisor: Supervisor, code: number): Promise<void> {
  if (ending) return;
  ending = true;
  removeDemoFacts(settings.dataDir);
  await supervisor.stop(STOP_ORDER);
  forgetProcesses(settings.dataDir);
  if (code === 0) say('Everything is stopped.');
  process.exit(code);
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
