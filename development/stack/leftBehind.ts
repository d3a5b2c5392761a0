/**
 * Ends processes that kept running after their supervisor was killed. A running supervisor writes its process ids to a
 * file, which the next start reads.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identityOf } from './processIdentity.js';

interface Entry {
  name: string;
  pid: number;
  identity: string;
}

const SUPERVISOR = 'supervisor';
const STOP_TIMEOUT_MS = 10_000;
const fileIn = (dataDir: string) => path.join(dataDir, 'processes.json');

/** Writes the running processes to the file. */
export function rememberProcesses(dataDir: string, pids: Record<string, number>): void {
  const entries = Object.entries({ [SUPERVISOR]: process.pid, ...pids }).flatMap(([name, pid]) => {
    const identity = identityOf(pid);
    return identity ? [{ name, pid, identity }] : [];
  });
  mkdirSync(dataDir, { recursive: true });
  const file = fileIn(dataDir);
  writeFileSync(`${file}.new`, JSON.stringify(entries, null, 2));
  renameSync(`${file}.new`, file);
}

/**
 * Reports whether this folder contains the file with process ids. The file exists while the platform runs. An orderly
 * stop deletes it, so it remains if the platform was killed.
 */
export const remembersProcesses = (dataDir: string): boolean => existsSync(fileIn(dataDir));

export function forgetProcesses(dataDir: string): void {
  rmSync(fileIn(dataDir), { force: true });
}

function remembered(dataDir: string): Entry[] {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), 'utf8')) as Entry[];
  } catch {
    return [];
  }
}

const runs = ({ pid, identity }: Entry): boolean => identityOf(pid) === identity;

/**
 * Ends the processes that a killed supervisor left. @throws Error when that supervisor is alive, because it uses the
 * same folder
 */
export async function endLeftBehind(dataDir: string, say: (line: string) => void): Promise<void> {
  const leftovers = remembered(dataDir).filter(runs);
  const supervisor = leftovers.find(({ name }) => name === SUPERVISOR);
  if (supervisor)
    throw new Error(
      `The platform is already running with ${dataDir} (process ${supervisor.pid}): stop that one first.`,
    );
  if (leftovers.length === 0) return;
  say(`Stopping processes of an interrupted start: ${leftovers.map(({ name }) => name).join(', ')} …`);
  // On SIGINT, Postgres ends its clients' sessions at once. On SIGTERM it would wait until the clients disconnect.
  for (const entry of leftovers) signal(entry, /^(postgres|replica)$/.test(entry.name) ? 'SIGINT' : 'SIGTERM');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
  while (leftovers.some(runs) && Date.now() < deadline) await sleep(50);
  for (const entry of leftovers.filter(runs)) signal(entry, 'SIGKILL');
}

function signal({ pid }: Entry, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Ignored: the process has already ended.
  }
}
