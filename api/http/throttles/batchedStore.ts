/**
 * Counts hits in memory and reports them to Postgres in batches, so that a request needs no round trip. A process
 * learns of the hits in other processes after at most FLUSH_SECONDS, or after FLUSH_HITS hits of a caller. So N
 * processes together exceed the limit by at most N × FLUSH_HITS per flush.
 */
import { performance } from 'node:perf_hooks';
import type { ClientRateLimitInfo, Store } from 'express-rate-limit';
import { log } from '../../../models/log.js';
import type { CountHits } from './store.js';

const FLUSH_SECONDS = 2;
const FLUSH_HITS = 50;
const FORGET_AFTER_MS = 10 * 60_000;
/**
 * Maximum number of callers that are kept while the store is down. Beyond it, the least recently seen callers are
 * dropped (LRU).
 */
const MAX_CALLERS = 100_000;

interface Count {
  /** Hits reported by Postgres. */
  recorded: number;
  /** Hits of this process that are being reported to Postgres. */
  sending: number;
  /**
   * Hits of this process that were not reported to Postgres yet; negative when more hits were refunded than counted.
   */
  unsent: number;
  /** End of the window, on the monotonic clock of this process, because the host's clock may jump. */
  resetsAt: number;
  seenAt: number;
}

export class BatchedStore implements Store {
  private readonly counts = new Map<string, Count>();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private failing = false;

  constructor(
    private readonly scope: string,
    private readonly windowSeconds: number,
    private readonly count: CountHits,
  ) {}

  increment(key: string): ClientRateLimitInfo {
    const count = this.current(key);
    count.unsent += 1;
    if (count.unsent >= FLUSH_HITS && !this.failing) void this.flush();
    else this.schedule();
    const resetTime = new Date(Date.now() + count.resetsAt - performance.now());
    return { totalHits: count.recorded + count.sending + count.unsent, resetTime };
  }

  decrement(key: string): void {
    const count = this.counts.get(key);
    if (!count) return;
    count.unsent -= 1;
    this.schedule();
  }

  resetKey(key: string): void {
    this.counts.delete(key);
  }

  /** Exchanges hits with Postgres; never rejects. Unreported hits are reported later. */
  flush(): Promise<void> {
    this.running ??= this.send().finally(() => {
      this.running = undefined;
      if ([...this.counts.values()].some(({ unsent }) => unsent !== 0)) this.schedule();
    });
    return this.running;
  }

  async shutdown(): Promise<void> {
    await this.running;
    await this.flush();
    clearTimeout(this.timer);
  }

  private current(key: string): Count {
    const now = performance.now();
    const fresh = { recorded: 0, sending: 0, unsent: 0, resetsAt: now + this.windowSeconds * 1000, seenAt: now };
    const count = this.counts.get(key) ?? fresh;
    if (count.resetsAt <= now) Object.assign(count, { recorded: 0, resetsAt: fresh.resetsAt });
    count.seenAt = now;
    // Re-inserted at the end, so that the first entries are the least recently seen.
    this.counts.delete(key);
    this.counts.set(key, count);
    if (this.counts.size > MAX_CALLERS) this.forgetOldest();
    return count;
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => void this.flush(), FLUSH_SECONDS * 1000).unref();
  }

  private async send(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = [...this.counts].filter(([, { unsent }]) => unsent !== 0);
    for (const [, count] of batch) {
      count.sending = count.unsent;
      count.unsent = 0;
    }
    try {
      if (batch.length > 0) this.applyWindows(await this.count(this.scope, this.windowSeconds, hitsOf(batch)));
      for (const [, count] of batch) count.sending = 0;
      if (this.failing) log.info({ code: this.scope }, 'the throttle store is back');
      this.failing = false;
    } catch (error) {
      for (const [, count] of batch) {
        count.unsent += count.sending;
        count.sending = 0;
      }
      if (!this.failing) log.warn({ err: error, code: this.scope }, 'the throttle store is down; counting in memory');
      this.failing = true;
    }
    this.forgetIdle();
  }

  private applyWindows(windows: Awaited<ReturnType<CountHits>>): void {
    for (const [key, { hits, secondsLeft }] of windows) {
      const count = this.counts.get(key);
      if (count) Object.assign(count, { recorded: hits, resetsAt: performance.now() + secondsLeft * 1000 });
    }
  }

  private forgetOldest(): void {
    const [oldest] = this.counts.keys();
    if (oldest !== undefined) this.counts.delete(oldest);
  }

  private forgetIdle(): void {
    const before = performance.now() - FORGET_AFTER_MS;
    for (const [key, { unsent, seenAt }] of this.counts) if (unsent === 0 && seenAt < before) this.counts.delete(key);
  }
}

const hitsOf = (batch: [string, Count][]): Map<string, number> =>
  new Map(batch.map(([key, { sending }]) => [key, sending]));
