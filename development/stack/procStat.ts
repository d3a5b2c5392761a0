import { readFileSync } from 'node:fs';

/**
 * Returns the fields of /proc/<pid>/stat, beginning with the process state, which is field 3 in proc(5).
 * @throws Error when the process does not exist or this is not Linux
 */
export function statOf(pid: number | 'self'): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The program's name may contain spaces and parentheses, so parsing starts after the last parenthesis.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}
