/** Identifies processes, so that a process is not confused with a later one that got the same process id. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { statOf } from './procStat.js';

/** Returns an identity made of the process's start time; undefined when the process does not run. */
export function identityOf(pid: number): string | undefined {
  try {
    return process.platform === 'linux' ? fromProc(pid) : fromPs(pid);
  } catch {
    return undefined;
  }
}

function fromProc(pid: number): string | undefined {
  const fields = statOf(pid);
  // A zombie counts as ended.
  if (fields[0] === 'Z') return undefined;
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
}

function fromPs(pid: number): string | undefined {
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
}
