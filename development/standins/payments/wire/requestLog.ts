/** The most recent API requests, for people and tests. */

export interface RequestEntry {
  at: string;
  id: string;
  account: string | null;
  method: string;
  path: string;
  operation: string | null;
  idempotency_key: string | null;
  remittance_id: string | null;
  donation_id: string | null;
  /** HTTP status of the response; null when none was sent. */
  status: number | null;
  replayed: boolean;
  fault: string | null;
}

const MAX_ENTRIES = 500;

export class RequestLog {
  private entries: RequestEntry[] = [];

  /** Adds an entry, which the caller completes later. */
  add(entry: RequestEntry): void {
    this.entries.push(entry);
    if (this.entries.length > 2 * MAX_ENTRIES) this.entries = this.entries.slice(-MAX_ENTRIES);
  }

  /** Lists the entries, oldest first. */
  list(): RequestEntry[] {
    return this.entries.slice(-MAX_ENTRIES);
  }

  clear(): void {
    this.entries = [];
  }
}
