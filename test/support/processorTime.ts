/** The processor time of work in this process, independent of other load on the machine. */

/** @returns milliseconds of processor time, of all threads, of the fastest of several rounds */
export async function processorTime(work: () => Promise<unknown>, rounds = 5): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < rounds; n += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
