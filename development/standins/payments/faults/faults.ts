/** The active faults, and the requests that they keep waiting. */
import { newId } from '../state/identifiers.js';
import type { EventRow, Subject } from '../state/types.js';
import type { FaultKind, FaultOrder } from './definitions.js';

export type Fault = FaultOrder & { id: string; used: number };
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;

/** The properties of a request that decide whether a fault applies to it. */
export interface Target extends Subject {
  operation: string;
  /** Whether the request would charge a card. A fault without an operation applies only to such requests. */
  captures: boolean;
}

export type Outcome = 'released' | 'cleared' | 'closed';

interface Waiting {
  mode: 'hang' | 'hold';
  subject: Subject;
  end: (outcome: Outcome) => void;
}

export class Faults {
  private faults: Fault[] = [];
  private readonly waiting = new Set<Waiting>();
  private closed = false;

  /** Activates a fault. */
  add(order: FaultOrder): Fault {
    const fault: Fault = { id: newId('flt', 8), used: 0, ...order };
    this.faults.push(fault);
    return fault;
  }

  /** Lists the active faults with their numbers of uses. */
  list(): Fault[] {
    return this.faults;
  }

  /** Number of waiting requests. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Returns the first active fault of these kinds that matches a request. */
  forRequest<K extends FaultKind>(kinds: readonly K[], target: Target): FaultOf<K> | undefined {
    return this.find(kinds, (fault) => {
      const operation = 'operation' in fault ? fault.operation : undefined;
      const isMatch = operation === undefined ? target.captures : operation === 'any' || operation === target.operation;
      return isMatch && isSelected(fault, target);
    });
  }

  /** Returns the first active fault of this kind that matches an event. */
  forEvent<K extends FaultKind>(kind: K, event: EventRow): FaultOf<K> | undefined {
    return this.find([kind], (fault) => {
      const invoice = 'invoice_id' in fault ? fault.invoice_id : undefined;
      return isSelected(fault, event) && (invoice === undefined || invoice === invoiceOf(event));
    });
  }

  /** Counts a use, and deactivates a fault that is used up. */
  use(fault: Fault): void {
    fault.used += 1;
    if (fault.times !== null && fault.used >= fault.times) this.faults = this.faults.filter((other) => other !== fault);
  }

  /**
   * Keeps a request waiting until the faults are removed, the server closes, or `abandoned` resolves. A request in mode
   * `hold` can also be released.
   */
  wait(mode: Waiting['mode'], subject: Subject, abandoned?: Promise<void>): Promise<Outcome> {
    if (this.closed) return Promise.resolve('closed');
    return new Promise((resolve) => {
      const waiting: Waiting = {
        mode,
        subject,
        end: (outcome) => {
          this.waiting.delete(waiting);
          resolve(outcome);
        },
      };
      this.waiting.add(waiting);
      void abandoned?.then(() => waiting.end('closed'));
    });
  }

  /**
   * Releases held requests: all of them, or only those of the selected remittance, gift or pledge.
   * @returns the number of released requests
   */
  release(selection: Selection): number {
    const held = [...this.waiting].filter(({ mode, subject }) => mode === 'hold' && isSelected(selection, subject));
    for (const one of held) one.end('released');
    return held.length;
  }

  /** Removes all faults: held requests continue, hanging requests lose their connection. */
  clear(): void {
    this.faults = [];
    for (const one of this.waiting) one.end(one.mode === 'hold' ? 'released' : 'cleared');
  }

  /** Removes all faults and drops every waiting request without executing it. */
  abandon(): void {
    this.faults = [];
    for (const one of this.waiting) one.end('closed');
  }

  /** Removes all faults and drops every waiting request. Later requests cannot wait either. */
  close(): void {
    this.closed = true;
    this.abandon();
  }

  private find<K extends FaultKind>(kinds: readonly K[], test: (fault: Fault) => boolean): FaultOf<K> | undefined {
    return this.faults.find((fault) => kinds.some((kind) => kind === fault.kind) && test(fault)) as
      | FaultOf<K>
      | undefined;
  }
}

function invoiceOf({ value }: EventRow): string | undefined {
  return (value.data.object as { metadata?: Record<string, string> | null }).metadata?.['invoice_id'];
}

/** Selects the payments of one remittance, gift or pledge. Without an id, it selects all payments. */
interface Selection {
  remittance_id?: string | undefined;
  donation_id?: string | undefined;
  pledge_id?: string | undefined;
}

export const isSelected = (selection: Selection, { remittanceId, donationId, pledgeId }: Subject): boolean =>
  (selection.remittance_id === undefined || selection.remittance_id === remittanceId) &&
  (selection.donation_id === undefined || selection.donation_id === donationId) &&
  (selection.pledge_id === undefined || selection.pledge_id === pledgeId);
