import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { statOf } from '../../stack/procStat.js';

/** Lists the child processes: Postgres serves every connection with its own process. */
export function childrenOf(pid: number): number[] {
  return process.platform === 'linux' ? fromProc(pid) : fromPgrep(pid);
}

function fromProc(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    // The process ended in the meantime.
    return null;
  }
}

function fromPgrep(parent: number): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number);
  } catch {
    // pgrep exits with 1 when there are no child processes.
    return [];
  }
}
