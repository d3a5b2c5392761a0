/** A fair semaphore: slots shared by tenants, so that one tenant's burst leaves slots for the others. */
import { refuse } from '../errors.js';

export interface FairSemaphoreOptions {
  slots: number;
  /** Maximum number of slots that one tenant may hold. */
  maxPerTenant: number;
  /** Number of slots that only tenants without a slot may take. */
  reserve: number;
  /** Maximum number of waiting callers per tenant. Further callers are refused at once. */
  maxQueued: number;
  waitMs: number;
}

/** Releases a slot. */
export type Release = () => void;

interface Waiter {
  /** Sequence number of arrival; lower numbers came earlier. */
  order: number;
  /** Whether the request has had a slot before. */
  isContinuation: boolean;
  caller: string;
  /** When the waiter is refused, on the monotonic clock. */
  expiresAt: number;
  grant: (release: Release) => void;
  refuse: (refusal: Error) => void;
}

/** Seconds after which a refused caller should retry. A burst has probably ended by then. */
const RETRY_AFTER_SECONDS = 3;
/** A request that has already held a slot may wait this many times longer. */
const CONTINUATION_TIMEOUT_FACTOR = 4;
/** A tenant may have several callers. One caller may fill at most this fraction of the tenant's queue. */
const CALLER_QUEUE_DIVISOR = 4;

export class FairSemaphore {
  private readonly heldByTenant = new Map<string, number>();
  private readonly heldByCaller = new Map<string, number>();
  private readonly queues = new Map<string, Waiter[]>();
  private inUse = 0;
  private nextOrder = 0;
  /** One timer for all waiters: a timer for each would be the largest cost of waiting. */
  private expiry: { at: number; timer: NodeJS.Timeout } | undefined;

  constructor(private readonly options: FairSemaphoreOptions) {}

  /** Number of waiting callers. */
  get waitingCount(): number {
    return [...this.queues.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /**
   * Acquires a slot, and waits for it for a limited time.
   * @throws Refusal busy
   */
  async acquire(tenant: string, isContinuation = false, caller = ''): Promise<Release> {
    if (this.canAcquire(tenant)) return this.occupySlot(tenant, caller);
    const queue = this.queues.get(tenant) ?? [];
    if (!isContinuation && this.isFull(queue, caller)) throw busy();
    return this.enqueue(tenant, { isContinuation, caller }, queue);
  }

  private isFull(queue: Waiter[], caller: string): boolean {
    const { maxQueued } = this.options;
    if (queue.length >= maxQueued) return true;
    if (caller === '') return false;
    return queue.filter((waiter) => waiter.caller === caller).length >= maxQueued / CALLER_QUEUE_DIVISOR;
  }

  private enqueue(
    tenant: string,
    { isContinuation, caller }: Pick<Waiter, 'isContinuation' | 'caller'>,
    queue: Waiter[],
  ): Promise<Release> {
    return new Promise((grant, refuse) => {
      const expiresAt = performance.now() + this.options.waitMs * (isContinuation ? CONTINUATION_TIMEOUT_FACTOR : 1);
      const waiter: Waiter = { order: this.nextOrder++, isContinuation, caller, expiresAt, grant, refuse };
      const firstNewIndex = queue.findIndex((other) => !other.isContinuation);
      queue.splice(isContinuation && firstNewIndex >= 0 ? firstNewIndex : queue.length, 0, waiter);
      this.queues.set(tenant, queue);
      this.scheduleExpiry(expiresAt);
    });
  }

  private scheduleExpiry(at: number): void {
    if (this.expiry && this.expiry.at <= at) return;
    clearTimeout(this.expiry?.timer);
    const timer = setTimeout(() => this.refuseExpired(), at - performance.now()).unref();
    this.expiry = { at, timer };
  }

  private refuseExpired(): void {
    this.expiry = undefined;
    // A timer may fire a millisecond early.
    const now = performance.now() + 1;
    for (const [tenant, queue] of this.queues) {
      for (const waiter of queue.filter(({ expiresAt }) => expiresAt <= now)) {
        this.dequeue(tenant, waiter);
        waiter.refuse(busy());
      }
      for (const { expiresAt } of queue) this.scheduleExpiry(expiresAt);
    }
  }

  private canAcquire(tenant: string): boolean {
    const { slots, maxPerTenant, reserve } = this.options;
    const held = this.heldByTenant.get(tenant) ?? 0;
    const free = slots - this.inUse;
    return free > 0 && held < maxPerTenant && (held === 0 || free > reserve);
  }

  private occupySlot(tenant: string, caller: string): Release {
    this.count(tenant, caller, 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.count(tenant, caller, -1);
      this.grantFreeSlots();
    };
  }

  private count(tenant: string, caller: string, change: 1 | -1): void {
    this.inUse += change;
    add(this.heldByTenant, tenant, change);
    add(this.heldByCaller, callerKey(tenant, caller), change);
  }

  /**
   * Grants the free slots, each to the tenant that currently holds the fewest. Among tenants with equally many, the
   * longest waiting caller is first.
   */
  private grantFreeSlots(): void {
    for (let next = this.nextWaiter(); next; next = this.nextWaiter()) {
      const [tenant, waiter] = next;
      this.dequeue(tenant, waiter);
      waiter.grant(this.occupySlot(tenant, waiter.caller));
    }
  }

  private nextWaiter(): [string, Waiter] | undefined {
    let best: [tenant: string, waiter: Waiter, held: number] | undefined;
    for (const [tenant, queue] of this.queues) {
      const waiter = this.canAcquire(tenant) ? this.firstOf(tenant, queue) : undefined;
      if (!waiter) continue;
      const held = this.heldByTenant.get(tenant) ?? 0;
      if (!best || held < best[2] || (held === best[2] && waiter.order < best[1].order)) best = [tenant, waiter, held];
    }
    return best && [best[0], best[1]];
  }

  /**
   * Returns the waiter of a tenant that is served next. Requests that have already held a slot come first. Among the
   * rest, the caller with the fewest slots is first, and then the longest waiting.
   */
  private firstOf(tenant: string, queue: Waiter[]): Waiter | undefined {
    const [first] = queue;
    if (!first || first.isContinuation) return first;
    const heldBy = ({ caller }: Waiter) => this.heldByCaller.get(callerKey(tenant, caller)) ?? 0;
    return queue.reduce((best, waiter) => (heldBy(waiter) < heldBy(best) ? waiter : best), first);
  }

  private dequeue(tenant: string, waiter: Waiter): void {
    const queue = this.queues.get(tenant) ?? [];
    const at = queue.indexOf(waiter);
    if (at >= 0) queue.splice(at, 1);
    if (queue.length === 0) this.queues.delete(tenant);
  }
}

/** A newline separates the two parts, because ids and addresses contain none. */
const callerKey = (tenant: string, caller: string): string => `${tenant}\n${caller}`;

function add(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

const busy = () => refuse.busy(undefined, undefined, { 'Retry-After': String(RETRY_AFTER_SECONDS) });
