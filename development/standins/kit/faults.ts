/** Injected faults: lost answers, and refunds that stay pending or fail later. */
import { z } from 'zod';

export const Fault = z.strictObject({
  kind: z.enum(['drop_before_capture', 'drop_after_capture', 'refund_pending', 'refund_fails_later', 'slow']),
  /** Operation of the stand-in's API; absent for any operation. */
  operation: z.string().optional(),
  times: z.int().positive().default(1),
});
type Fault = z.infer<typeof Fault>;

export class Faults {
  private waiting: Fault[] = [];

  add(fault: Fault): void {
    this.waiting.push({ ...fault });
  }

  clear(): void {
    this.waiting = [];
  }

  list(): Fault[] {
    return this.waiting;
  }

  /** Reports whether a fault applies now, and counts it. */
  applies(kind: Fault['kind'], operation: string): boolean {
    const fault = this.waiting.find((one) => one.kind === kind && (one.operation ?? operation) === operation);
    if (!fault) return false;
    fault.times -= 1;
    if (fault.times === 0) this.waiting = this.waiting.filter((one) => one !== fault);
    return true;
  }

  /** Returns the outcome of a new refund; null when it succeeds at once. */
  nextRefundOutcome(): 'pending' | 'fails_later' | null {
    if (this.applies('refund_pending', 'refund')) return 'pending';
    return this.applies('refund_fails_later', 'refund') ? 'fails_later' : null;
  }
}
