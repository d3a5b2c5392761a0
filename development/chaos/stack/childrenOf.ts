import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** The processes that this one has started: Postgres serves every connection with one of its own. */
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
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name may contain spaces and parentheses; what follows the last one is regular.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // Gone in between.
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
    // It ends with 1 when there are none.
    return [];
  }
}
