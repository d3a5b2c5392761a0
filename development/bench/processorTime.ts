/** What processes take of the processors. Only where the system tells of other processes' time (Linux). */
import { existsSync } from 'node:fs';
import { statOf } from '../stack/procStat.js';

/** The system counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** Milliseconds of each that is still there. */
export function processorTime(pids: number[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const pid of pids.filter((one) => existsSync(`/proc/${one}/stat`))) {
    const fields = statOf(pid);
    times.set(pid, TICK_MS * (Number(fields[11]) + Number(fields[12])));
  }
  return times;
}

/** What those of them that are still there have taken since, in milliseconds. */
export function takenSince(before: Map<number, number>): number {
  const now = processorTime([...before.keys()]);
  return [...now].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? ms), 0);
}
