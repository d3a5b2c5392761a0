/** Collects deliveries for a short time, then starts them in random order. */

/** Returns a seeded generator of numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns the items in random order. The same seed gives the same order. */
function shuffled<T>(items: readonly T[], seed?: number): T[] {
  const random = seed === undefined ? Math.random : generator(seed);
  const result = [...items];
  for (let last = result.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    const swapped = result[last] as T;
    result[last] = result[other] as T;
    result[other] = swapped;
  }
  return result;
}

export class Shuffler {
  private readonly windows = new Map<string, { ids: string[]; timer: NodeJS.Timeout }>();

  /** @param start starts one delivery and resolves after its first attempt */
  constructor(private readonly start: (id: string) => Promise<void>) {}

  /**
   * Adds deliveries to the time window of a fault. The first call opens the window; when it ends, all deliveries start
   * in random order.
   */
  add(fault: { id: string; window_ms: number; seed?: number | undefined }, ids: string[]): void {
    const open = this.windows.get(fault.id);
    if (open) {
      open.ids.push(...ids);
      return;
    }
    const timer = setTimeout(() => void this.flush(fault.id, fault.seed), fault.window_ms);
    this.windows.set(fault.id, { ids: [...ids], timer });
  }

  clear(): void {
    for (const { timer } of this.windows.values()) clearTimeout(timer);
    this.windows.clear();
  }

  /** Starts the deliveries one after the other, so that they arrive in the shuffled order. */
  private async flush(id: string, seed?: number): Promise<void> {
    const ids = this.windows.get(id)?.ids ?? [];
    this.windows.delete(id);
    for (const delivery of shuffled(ids, seed)) await this.start(delivery);
  }
}
