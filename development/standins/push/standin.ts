/** What both gateways share: the credentials that they know, the phones, the faults in force, and what they were asked. */
import type { Faults } from './faults.js';
import type { Environment, Phones, Platform } from './phones.js';

export interface Asked {
  at: string;
  platform: Platform;
  environment: Environment;
  token: string;
  /** The sender's own id of the attempt; FCM knows none. */
  id: string | null;
  collapse_id: string | null;
  /** null: no answer was given. */
  status: number | null;
  reason: string | null;
}

const KEPT = 20_000;

/** The last requests, whatever became of them. */
export class Requests {
  private asked: Asked[] = [];

  add(request: Omit<Asked, 'at'>): void {
    this.asked.push({ at: new Date().toISOString(), ...request });
    if (this.asked.length >= 2 * KEPT) this.asked = this.asked.slice(-KEPT);
  }

  list(): readonly Asked[] {
    return this.asked;
  }
}

export interface Standin {
  phones: Phones;
  faults: Faults;
  requests: Requests;
  now: () => number;
}

/** Both gateways take no more, identifiers and text together. */
export const LARGEST_PAYLOAD_BYTES = 4_096;
