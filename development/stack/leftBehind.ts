/** What an earlier start left running because it was killed itself, and how the next one finds it. */
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
const PATIENCE_MS = 10_000;
const fileIn = (dataDir: string) => path.join(dataDir, 'processes.json');

/** Writes down which processes run now. */
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

/** Whether a start in this folder has not come to its end. */
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

/** Ends what a killed supervisor left. @throws Error when that supervisor is alive: it uses the same folder */
export async function endLeftBehind(dataDir: string, say: (line: string) => void): Promise<void> {
  const left = remembered(dataDir).filter(runs);
  const supervisor = left.find(({ name }) => name === SUPERVISOR);
  if (supervisor)
    throw new Error(`This is running already with ${dataDir} (process ${supervisor.pid}): stop that one first.`);
  if (left.length === 0) return;
  say(`Ending what an interrupted start left running: ${left.map(({ name }) => name).join(', ')} …`);
  // SIGINT lets Postgres end its sessions instead of waiting for them.
  for (const entry of left) signal(entry, /^(postgres|replica)$/.test(entry.name) ? 'SIGINT' : 'SIGTERM');
  const deadline = Date.now() + PATIENCE_MS;
  while (left.some(runs) && Date.now() < deadline) await sleep(50);
  for (const entry of left.filter(runs)) signal(entry, 'SIGKILL');
}

function signal({ pid }: Entry, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone in between.
  }
}
