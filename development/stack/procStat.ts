import { readFileSync } from 'node:fs';

/**
 * What Linux tells of a process, from its state on (proc(5): field 3 of the file is the first here).
 * @throws Error when there is none, or no Linux
 */
export function statOf(pid: number | 'self'): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name may contain spaces and parentheses; what follows the last one is regular.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
