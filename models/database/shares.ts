/** A fair semaphore: slots shared by tenants, so that one tenant's burst leaves slots for the others. */
import { refuse } from '../errors.js';

export interface SharesOptions {
  /** Number of slots. */
  places: number;
  /** Slots that one tenant may hold. */
  share: number;
  /** The last free slots, reserved for tenants that hold none. */
  reserve: number;
  /** Waiting claims per tenant; further ones are refused at once. */
  mostWaiting: number;
  waitMs: number;
}

/** Releases a slot. */
export type Release = () => void;

interface Claim {
  since: number;
  begun: boolean;
  caller: string;
  /** When the claim expires, on the monotonic clock. */
  until: number;
  grant: (release: Release) => void;
  refuse: (refusal: Error) => void;
}

/** By then a burst is likely to be over. */
const COME_BACK_SECONDS = 3;
/** Requests that already had a connection wait four times as long. */
const PATIENCE_FACTOR = 4;
/** One of several callers of a tenant may have at most one in this many of the waiting claims. */
const CALLERS_PART = 4;

export class Shares {
  private readonly held = new Map<string, number>();
  private readonly heldByCaller = new Map<string, number>();
  private readonly waiting = new Map<string, Claim[]>();
  private inUse = 0;
  private claims = 0;
  /** One timer for all claims: a timer for each would be the largest cost of waiting. */
  private deadline: { at: number; timer: NodeJS.Timeout } | undefined;

  constructor(private readonly options: SharesOptions) {}

  /** Number of waiting claims. */
  get waitingCount(): number {
    return [...this.waiting.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Acquires a slot, waiting for a short time. */
  async take(claimant: string, begun = false, caller = ''): Promise<Release> {
    if (this.mayTake(claimant)) return this.place(claimant, caller);
    const queue = this.waiting.get(claimant) ?? [];
    if (!begun && this.isFull(queue, caller)) throw busy();
    return this.wait(claimant, { begun, caller }, queue);
  }

  private isFull(queue: Claim[], caller: string): boolean {
    const { mostWaiting } = this.options;
    if (queue.length >= mostWaiting) return true;
    return caller !== '' && queue.filter((claim) => claim.caller === caller).length >= mostWaiting / CALLERS_PART;
  }

  private wait(claimant: string, { begun, caller }: Pick<Claim, 'begun' | 'caller'>, queue: Claim[]): Promise<Release> {
    return new Promise((grant, refuse) => {
      const until = performance.now() + this.options.waitMs * (begun ? PATIENCE_FACTOR : 1);
      const claim: Claim = { since: this.claims++, begun, caller, until, grant, refuse };
      const newcomers = queue.findIndex((other) => !other.begun);
      queue.splice(begun && newcomers >= 0 ? newcomers : queue.length, 0, claim);
      this.waiting.set(claimant, queue);
      this.giveUpAt(until);
    });
  }

  private giveUpAt(until: number): void {
    if (this.deadline && this.deadline.at <= until) return;
    clearTimeout(this.deadline?.timer);
    const timer = setTimeout(() => this.giveUp(), until - performance.now()).unref();
    this.deadline = { at: until, timer };
  }

  /** Refuses expired claims. */
  private giveUp(): void {
    this.deadline = undefined;
    // A timer may fire a millisecond early.
    const now = performance.now() + 1;
    for (const [claimant, queue] of this.waiting) {
      for (const claim of queue.filter(({ until }) => until <= now)) {
        this.leave(claimant, claim);
        claim.refuse(busy());
      }
      for (const { until } of queue) this.giveUpAt(until);
    }
  }

  private mayTake(claimant: string): boolean {
    const { places, share, reserve } = this.options;
    const held = this.held.get(claimant) ?? 0;
    const free = places - this.inUse;
    return free > 0 && held < share && (held === 0 || free > reserve);
  }

  private place(claimant: string, caller: string): Release {
    this.count(claimant, caller, 1);
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.count(claimant, caller, -1);
      this.handOn();
    };
  }

  private count(claimant: string, caller: string, more: 1 | -1): void {
    this.inUse += more;
    add(this.held, claimant, more);
    add(this.heldByCaller, callerKey(claimant, caller), more);
  }

  /** Grants slots to the tenant that holds the fewest; among equals, to the longest waiting. */
  private handOn(): void {
    for (let next = this.next(); next; next = this.next()) {
      const [claimant, claim] = next;
      this.leave(claimant, claim);
      claim.grant(this.place(claimant, claim.caller));
    }
  }

  private next(): [string, Claim] | undefined {
    let best: [claimant: string, claim: Claim, held: number] | undefined;
    for (const [claimant, queue] of this.waiting) {
      const claim = this.mayTake(claimant) ? this.firstOf(claimant, queue) : undefined;
      if (!claim) continue;
      const held = this.held.get(claimant) ?? 0;
      if (!best || held < best[2] || (held === best[2] && claim.since < best[1].since)) best = [claimant, claim, held];
    }
    return best && [best[0], best[1]];
  }

  /** Continued requests first; then, for the caller that holds the fewest slots, the longest waiting. */
  private firstOf(claimant: string, queue: Claim[]): Claim | undefined {
    const [first] = queue;
    if (!first || first.begun) return first;
    const heldBy = ({ caller }: Claim) => this.heldByCaller.get(callerKey(claimant, caller)) ?? 0;
    return queue.reduce((best, claim) => (heldBy(claim) < heldBy(best) ? claim : best), first);
  }

  private leave(claimant: string, claim: Claim): void {
    const queue = this.waiting.get(claimant) ?? [];
    const at = queue.indexOf(claim);
    if (at >= 0) queue.splice(at, 1);
    if (queue.length === 0) this.waiting.delete(claimant);
  }
}

/** Neither contains a newline: they are ids and addresses. */
const callerKey = (claimant: string, caller: string): string => `${claimant}\n${caller}`;

function add(counts: Map<string, number>, key: string, more: number): void {
  const left = (counts.get(key) ?? 0) + more;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

const busy = () => refuse.busy(undefined, undefined, { 'Retry-After': String(COME_BACK_SECONDS) });
