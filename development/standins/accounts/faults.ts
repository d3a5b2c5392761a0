/** The faults that can be ordered of an office suite. */
import { z } from 'zod';

export const OPERATIONS = ['token', 'get', 'create', 'update', 'join', 'look'] as const;
export type Operation = (typeof OPERATIONS)[number];

export const Fault = z.strictObject({
  /**
   * quota: too much at once. conflict: another request is under way. down: no answer but 503. lost: the work is done, and the
   * connection drops. hold_before, hold_after: the answer waits, before or after the work. refused: the credentials hold no more.
   */
  kind: z.enum(['quota', 'conflict', 'down', 'lost', 'hold_before', 'hold_after', 'refused']),
  operation: z.enum(OPERATIONS).optional(),
  times: z.int().min(1).max(10_000).default(1),
  retry_after: z.int().min(1).max(3600).optional(),
});
export type Fault = z.output<typeof Fault>;

export class Faults {
  private ordered: Fault[] = [];
  private held: (() => void)[] = [];

  order(fault: z.input<typeof Fault>): Fault {
    const made = Fault.parse(fault);
    this.ordered.push(made);
    return made;
  }

  /** The one that strikes a request, which it uses up. */
  take(operation: Operation): Fault | null {
    const fault = this.ordered.find((one) => one.operation === undefined || one.operation === operation);
    if (!fault) return null;
    fault.times -= 1;
    this.ordered = this.ordered.filter(({ times }) => times > 0);
    return fault;
  }

  /** How many requests wait. */
  get holding(): number {
    return this.held.length;
  }

  hold(): Promise<void> {
    return new Promise((resolve) => {
      this.held.push(resolve);
    });
  }

  /** None any more, and whoever waits is answered. */
  lift(): void {
    this.ordered = [];
    for (const release of this.held.splice(0)) release();
  }
}
