/** The faults in force, and the requests they keep waiting. */
import { newId } from '../state/identifiers.js';
import type { EventRow } from '../state/types.js';
import type { FaultKind, FaultOrder } from './definitions.js';

export type Fault = FaultOrder & { id: string; used: number };
export type FaultOf<K extends FaultKind> = Extract<Fault, { kind: K }>;

/** What a fault may be matched against. */
export interface Target {
  operation: string;
  /** Whether the request would charge a card: what request faults mean unless they name an operation. */
  captures: boolean;
  remittanceId: string | null;
}

export type Outcome = 'released' | 'cleared' | 'closed';

interface Waiting {
  mode: 'hang' | 'hold';
  remittanceId: string | null;
  end: (outcome: Outcome) => void;
}

export class Faults {
  private faults: Fault[] = [];
  private readonly waiting = new Set<Waiting>();
  private closed = false;

  /** Puts an ordered fault in force. */
  add(order: FaultOrder): Fault {
    const fault: Fault = { id: newId('flt', 8), used: 0, ...order };
    this.faults.push(fault);
    return fault;
  }

  /** The faults in force, with how often each was used. */
  list(): Fault[] {
    return this.faults;
  }

  /** How many requests are being kept waiting. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** The first fault in force of these kinds that selects a request. */
  forRequest<K extends FaultKind>(kinds: readonly K[], target: Target): FaultOf<K> | undefined {
    return this.find(kinds, (fault) => {
      const operation = 'operation' in fault ? fault.operation : undefined;
      const meant = operation === undefined ? target.captures : operation === 'any' || operation === target.operation;
      return meant && selects(fault, target.remittanceId);
    });
  }

  /** The first fault in force of this kind that selects an event. */
  forEvent<K extends FaultKind>(kind: K, event: EventRow): FaultOf<K> | undefined {
    return this.find([kind], (fault) => {
      const invoice = 'invoice_id' in fault ? fault.invoice_id : undefined;
      return selects(fault, event.remittanceId) && (invoice === undefined || invoice === invoiceOf(event));
    });
  }

  /** Counts a use; a fault that is used up is no longer in force. */
  use(fault: Fault): void {
    fault.used += 1;
    if (fault.times !== null && fault.used >= fault.times) this.faults = this.faults.filter((other) => other !== fault);
  }

  /** Keeps a request waiting until it is released (holds only), the faults are cleared, or all is closed. */
  wait(mode: Waiting['mode'], remittanceId: string | null, abandoned?: Promise<void>): Promise<Outcome> {
    if (this.closed) return Promise.resolve('closed');
    return new Promise((resolve) => {
      const waiting: Waiting = {
        mode,
        remittanceId,
        end: (outcome) => {
          this.waiting.delete(waiting);
          resolve(outcome);
        },
      };
      this.waiting.add(waiting);
      void abandoned?.then(() => waiting.end('closed'));
    });
  }

  /** Lets held requests go on, all or those of one remittance, and counts them. */
  release(remittanceId?: string): number {
    const held = [...this.waiting].filter(
      (one) => one.mode === 'hold' && (remittanceId === undefined || one.remittanceId === remittanceId),
    );
    for (const one of held) one.end('released');
    return held.length;
  }

  /** Lifts all faults: holds go on, hangs lose their connection. */
  clear(): void {
    this.faults = [];
    for (const one of this.waiting) one.end(one.mode === 'hold' ? 'released' : 'cleared');
  }

  /** Lifts all faults and drops every waiting request unexecuted. */
  abandon(): void {
    this.faults = [];
    for (const one of this.waiting) one.end('closed');
  }

  /** Abandons all, for good. */
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

function selects(fault: Fault, remittanceId: string | null): boolean {
  return fault.remittance_id === undefined || fault.remittance_id === remittanceId;
}
