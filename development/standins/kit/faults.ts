/** What goes wrong on purpose: answers that get lost, refunds that take days or come back. */
import { z } from 'zod';

export const Fault = z.strictObject({
  kind: z.enum(['drop_before_capture', 'drop_after_capture', 'refund_pending', 'refund_fails_later', 'slow']),
  /** Of requests, as the stand-in calls them; any of them where it is left out. */
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

  /** Whether this goes wrong now; each time counts. */
  strikes(kind: Fault['kind'], operation: string): boolean {
    const fault = this.waiting.find((one) => one.kind === kind && (one.operation ?? operation) === operation);
    if (!fault) return false;
    fault.times -= 1;
    if (fault.times === 0) this.waiting = this.waiting.filter((one) => one !== fault);
    return true;
  }

  /** What becomes of a refund that is made now; null: it goes back at once. */
  fateOfRefund(): 'pending' | 'fails_later' | null {
    if (this.strikes('refund_pending', 'refund')) return 'pending';
    return this.strikes('refund_fails_later', 'refund') ? 'fails_later' : null;
  }
}
