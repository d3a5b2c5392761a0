/** The Temporal development server as a program: workflows in a SQLite file, or in memory for tests. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { answers } from './ports.js';
import type { Program } from './program.js';

export interface TemporalServer {
  executable: string;
  port: number;
  /** Absent: no web interface. */
  uiPort?: number;
  /** Absent: everything is lost when the server ends. */
  databaseFile?: string;
}

/** Server settings that the platform relies on. */
export const SETTINGS: Record<string, boolean | number> = {
  // One tenant's backlog must not starve the others; on a small server that works with one partition per queue.
  'matching.enableFairness': true,
  'matching.numTaskqueueReadPartitions': 1,
  'matching.numTaskqueueWritePartitions': 1,
  // A server of one shard may look for new tasks 20 times a second, each kind: every step then waits for 40 ms (measured).
  'history.transferProcessorMaxPollRPS': 2000,
  'history.timerProcessorMaxPollRPS': 2000,
  'history.visibilityProcessorMaxPollRPS': 2000,
  // A search attribute can be used at once after it was registered.
  'system.forceSearchAttributesCacheRefreshOnRead': true,
};

/** The server, ready when its default namespace answers. */
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
    // Asked over and over: to ask Temporal takes a process, to ask its port does not.
    isReady: async () => (await answers(port)) && hasDefaultNamespace(executable, port),
  };
}

/** The CLI reads TEMPORAL_* variables too; those of the application must not steer the server. */
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
