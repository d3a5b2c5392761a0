/** A server or worker that runs as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, renameSync } from 'node:fs';
import path from 'node:path';

export interface Program {
  name: string;
  command: string;
  args: string[];
  env?: NodeJS.ProcessEnv;
  user?: { uid?: number; gid?: number };
  /** The signal for an orderly shutdown. */
  stopSignal: NodeJS.Signals;
  /**
   * True for our own Node programs: they get an IPC channel and exit when it closes, so that none outlives the
   * supervisor.
   */
  supervised?: boolean;
  /** The program reports over the IPC channel that it is ready, in addition to `isReady`. */
  reportsReady?: boolean;
  /** Resolves to true once the program can be used. Called repeatedly. */
  isReady(): Promise<boolean>;
}

/** How a process ended: its exit code, or the signal that ended it. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null };

export interface Running {
  readonly program: Program;
  readonly pid: number;
  readonly logFile: string;
  /** Resolves with the exit code or signal when the process has ended. */
  readonly ended: Promise<Ending>;
  isRunning(): boolean;
  hasReported(): boolean;
  signal(signal: NodeJS.Signals): void;
}

const MAX_OLD_LOGS = 3;

/** Renames the logs of the last starts: api.log becomes api.log.1, api.log.1 becomes api.log.2 … */
export function rotateLog(file: string): void {
  for (let age = MAX_OLD_LOGS; age >= 1; age -= 1) {
    const older = age === 1 ? file : `${file}.${age - 1}`;
    try {
      renameSync(older, `${file}.${age}`);
    } catch {
      // Ignored: there is no log of this age.
    }
  }
}

/** Returns the end of a log, to show why a program died. */
export function lastLines(file: string, count = 15): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}

/** Starts the process with its output in `<logDirectory>/<name>.log`. @throws Error when it cannot be started at all. */
export async function launch(program: Program, logDirectory: string): Promise<Running> {
  mkdirSync(logDirectory, { recursive: true });
  const logFile = path.join(logDirectory, `${program.name}.log`);
  const log = openSync(logFile, 'a');
  try {
    const child = spawn(program.command, program.args, {
      // An own process group: Ctrl-C in the terminal reaches only the supervisor, which then stops all programs in
      // order.
      detached: true,
      env: program.env ?? process.env,
      stdio: program.supervised ? ['ignore', log, log, 'ipc'] : ['ignore', log, log],
      ...program.user,
    });
    const ended = endingOf(child);
    await new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return running(program, child, logFile, ended);
  } finally {
    closeSync(log);
  }
}

function endingOf(child: ChildProcess): Promise<Ending> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

function running(program: Program, child: ChildProcess, logFile: string, ended: Promise<Ending>): Running {
  let reported = false;
  child.on('message', (message) => {
    if (message === 'ready') reported = true;
  });
  return {
    program,
    pid: child.pid as number,
    logFile,
    ended,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    hasReported: () => reported,
    signal: (signal) => void child.kill(signal),
  };
}

/** Waits until the program can be used. @throws Error with the end of its log when it dies or takes too long */
export async function untilReady(part: Running, timeoutSeconds = 60): Promise<void> {
  const deadline = Date.now() + timeoutSeconds * 1000;
  const failure = (what: string) =>
    new Error(`${part.program.name} ${what}. The end of ${part.logFile}:\n${lastLines(part.logFile)}`);
  const hasReportedReady = () => !part.program.reportsReady || part.hasReported();
  while (!hasReportedReady() || !(await part.program.isReady().catch(() => false))) {
    if (!part.isRunning()) throw failure('ended while starting');
    if (Date.now() > deadline) throw failure(`was not ready after ${timeoutSeconds} s`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  // The answer may come from another program on the same port, so check that this program still runs.
  if (!part.isRunning()) throw failure('ended while starting');
}

/** Sends the stop signal, then SIGKILL after the grace period. */
export async function stop(part: Running, graceSeconds = 15): Promise<void> {
  if (!part.isRunning()) return;
  part.signal(part.program.stopSignal);
  const killTimer = setTimeout(() => part.signal('SIGKILL'), graceSeconds * 1000);
  await part.ended;
  clearTimeout(killTimer);
}
