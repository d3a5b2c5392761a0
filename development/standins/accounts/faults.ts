/** Faults that can be injected into an office suite. */
import { z } from 'zod';

export const OPERATIONS = ['token', 'get', 'create', 'update', 'join', 'look'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const Fault = z.strictObject({
  /**
   * The kinds of faults. quota: too many requests. conflict: another request is in progress. down: every response is
   * 503. lost: the request is executed, but the connection drops. hold_before and hold_after: the response waits before
   * or after execution. refused: the credentials are no longer valid.
   */
  kind: z.enum(['quota', 'conflict', 'down', 'lost', 'hold_before', 'hold_after', 'refused']),
  operation: z.enum(OPERATIONS).optional(),
  times: z.int().min(1).max(10_000).default(1),
  retry_after: z.int().min(1).max(3600).optional(),
});
export type Fault = z.output<typeof Fault>;

export class Faults {
  private injected: Fault[] = [];
  private held: (() => void)[] = [];

  order(fault: z.input<typeof Fault>): Fault {
    const parsed = Fault.parse(fault);
    this.injected.push(parsed);
    return parsed;
  }

  /** Returns the next fault for an operation and counts it down. */
  take(operation: Operation): Fault | null {
    const fault = this.injected.find((one) => one.operation === undefined || one.operation === operation);
    if (!fault) return null;
    fault.times -= 1;
    this.injected = this.injected.filter(({ times }) => times > 0);
    return fault;
  }

  /** Number of requests that wait because of a fault (`hold_before` or `hold_after`). */
  get holding(): number {
    return this.held.length;
  }

  hold(): Promise<void> {
    return new Promise((resolve) => {
      this.held.push(resolve);
    });
  }

  /** Removes all faults and releases the waiting requests. */
  lift(): void {
    this.injected = [];
    for (const release of this.held.splice(0)) release();
  }
}
