/** What work costs this process, whatever else the machine does meanwhile. */

/** @returns milliseconds of processor time, of all threads, of the cheapest of several rounds */
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
