/** The Temporal development server as a program, with its data in a SQLite file, or in memory for tests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { answers } from './ports.js';
import type { Program } from './program.js';

export interface TemporalServer {
  executable: string;
  port: number;
  /** Port of the web interface; without a port there is none. */
  uiPort?: number;
  /** File for the data; without a file the data is lost when the server ends. */
  databaseFile?: string;
}

/** Server settings that the platform relies on. */
export const SETTINGS: Record<string, boolean | number> = {
  // The backlog of one tenant must not starve the others. On a small server fairness works with one partition per
  // queue.
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // By default a server with one shard polls for each kind of task only 20 times a second, which adds 40 ms to every
  // step of a workflow (measured).
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 2000,
  // A search attribute can be used immediately after its registration.
  'system.forceSearchAttributesCacheRefreshOnRead': true,
};

/** Returns the server. It is ready when its default namespace answers. */
export function temporalProgram({ executable, port, uiPort, databaseFile }: TemporalServer): Program {
  const args = ['server', 'start-dev', '--ip', '127.0.0.1', '--port', String(port), '--log-level', 'warn'];
  args.push(...Object.entries(SETTINGS).flatMap(([name, value]) => ['--dynamic-config-value', `${name}=${value}`]));
  args.push(...(uiPort === undefined ? ['--headless'] : ['--ui-port', String(uiPort)]));
  if (databaseFile) args.push('--db-filename', databaseFile, '--sqlite-pragma', 'journal_mode=wal');
  return {
    name: 'temporal',
    command: executable,
    args,
    env: withoutTemporalSettings(process.env),
    stopSignal: 'SIGTERM',
    // This is called repeatedly. It checks the port first, which is cheap; asking Temporal starts a new process.
    isReady: async () => (await answers(port)) && hasDefaultNamespace(executable, port),
  };
}

/** Removes TEMPORAL_* variables: the CLI also reads them, but they are meant for the application. */
function withoutTemporalSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('TEMPORAL_')));
}

async function hasDefaultNamespace(executable: string, port: number): Promise<boolean> {
  const ask = ['operator', 'namespace', 'describe', '--namespace', 'default', '--address', `127.0.0.1:${port}`];
  await promisify(execFile)(executable, [...ask, '--command-timeout', '5s'], {
    env: withoutTemporalSettings(process.env),
    timeout: 10_000,
  });
  return true;
}
