/** CPU time of processes. Linux only, where it can be read for other processes. */
import { existsSync } from 'node:fs';
import { statOf } from '../stack/procStat.js';

/** Length of a clock tick: Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

/** Returns the CPU time in milliseconds of each process that still runs. */
export function processorTime(pids: number[]): Map<number, number> {
  const times = new Map<number, number>();
  for (const pid of pids.filter((one) => existsSync(`/proc/${one}/stat`))) {
    const fields = statOf(pid);
    times.set(pid, TICK_MS * (Number(fields[11]) + Number(fields[12])));
  }
  return times;
}

/**
 * Returns the CPU time in milliseconds that processes have used since `before` was read. Only processes that still run
 * are counted.
 */
export function cpuTimeSince(before: Map<number, number>): number {
  const now = processorTime([...before.keys()]);
  return [...now].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? ms), 0);
}
