/** State that the stand-ins of APNs and FCM share: the phones, the active faults, and the requests. */
import type { Faults } from './faults.js';
import type { Environment, Phones, Platform } from './phones.js';

export interface PushRequest {
  at: string;
  platform: Platform;
  environment: Environment;
  token: string;
  /** The id that the sender gave to this request; null for FCM, where senders give no id. */
  id: string | null;
  collapse_id: string | null;
  /** HTTP status of the response; null when none was sent. */
  status: number | null;
  reason: string | null;
}

const MAX_REQUESTS = 20_000;

/** The most recent requests, including failed ones. */
export class Requests {
  private asked: PushRequest[] = [];

  add(request: Omit<PushRequest, 'at'>): void {
    this.asked.push({ at: new Date().toISOString(), ...request });
    if (this.asked.length >= 2 * MAX_REQUESTS) this.asked = this.asked.slice(-MAX_REQUESTS);
  }

  list(): readonly PushRequest[] {
    return this.asked;
  }
}

export interface Standin {
  phones: Phones;
  faults: Faults;
  requests: Requests;
  now: () => number;
}

/** Maximum payload of both gateways, including identifiers. */
export const MAX_PAYLOAD_BYTES = 4_096;
