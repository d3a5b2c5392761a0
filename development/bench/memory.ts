/** Samples the resident memory of a process while it works. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const SAMPLE_INTERVAL_MS = 250;

/** @returns bytes, as the operating system counts them */
async function residentBytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Number(stdout.trim()) * 1024;
}

/**
 * Samples the resident memory of processes until `work` is done.
 * @param seen receives the largest value of each sample, in bytes
 */
export async function watchMemory<T>(
  pids: number[],
  seen: (bytes: number) => void,
  work: () => Promise<T>,
): Promise<T> {
  const largest = async () => seen(Math.max(...(await Promise.all(pids.map(residentBytes)))));
  const sample = () => void largest().catch(() => undefined);
  const timer = setInterval(sample, SAMPLE_INTERVAL_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await largest();
  }
}

const MEGABYTE = 1_000_000;

/** @returns the result of the work, its duration, and the process's peak memory meanwhile */
export async function measureWork<T>(
  pid: number,
  work: () => Promise<T>,
): Promise<{ answer: T; megabytes: number; seconds: number }> {
  let bytes = 0;
  const begun = performance.now();
  const note = (seen: number) => (bytes = Math.max(bytes, seen));
  const answer = await watchMemory([pid], note, work);
  return { answer, megabytes: bytes / MEGABYTE, seconds: (performance.now() - begun) / 1000 };
}
