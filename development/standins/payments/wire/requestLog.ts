/** The most recent API requests, for people and tests to look at. */

export interface RequestEntry {
  at: string;
  id: string;
  account: string | null;
  method: string;
  path: string;
  operation: string | null;
  idempotency_key: string | null;
  remittance_id: string | null;
  /** Null when the request was never answered. */
  status: number | null;
  replayed: boolean;
  fault: string | null;
}

const KEPT = 500;

export class RequestLog {
  private entries: RequestEntry[] = [];

  /** Adds an entry, to be completed by its owner. */
  add(entry: RequestEntry): void {
    this.entries.push(entry);
    if (this.entries.length > 2 * KEPT) this.entries = this.entries.slice(-KEPT);
  }

  /** Oldest first. */
  list(): RequestEntry[] {
    return this.entries.slice(-KEPT);
  }

  clear(): void {
    this.entries = [];
  }
}
