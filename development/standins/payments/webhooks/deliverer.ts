/** Delivers events to webhook endpoints, with exponential backoff until each is answered with a 2xx. */
import { type Faults, isSelected } from '../faults/faults.js';
import { DEFAULT_ENDPOINT, endpointsFor, putDelivery } from '../resources/emit.js';
import type { Store } from '../state/store.js';
import type { Delivery, EventRow } from '../state/types.js';
import type { Emitted } from '../wire/call.js';
import { postSigned, type PostResult } from './post.js';
import { Shuffler } from './shuffler.js';

const MAX_ATTEMPTS = 15;
const MAX_BACKOFF_MS = 60_000;

export interface Webhook {
  url: string;
  secret: string;
  /**
   * Signing secrets by account, for accounts that have their own; events of other accounts are signed with `secret`.
   */
  secrets?: ReadonlyMap<string, string>;
}

export interface DelivererParts {
  store: Store;
  faults: Faults;
  now: () => number;
  defaultEndpoint: Webhook | null;
  retryBaseMs: number;
  log: (line: string) => void;
}

export interface RedeliveryFilter {
  event?: string | undefined;
  type?: string | undefined;
  remittance_id?: string | undefined;
  donation_id?: string | undefined;
  pledge_id?: string | undefined;
}

export class Deliverer {
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly shuffler = new Shuffler((id) => this.attempt(id));
  private abort = new AbortController();
  private closed = false;

  constructor(private readonly parts: DelivererParts) {}

  /** Resumes the deliveries that an earlier run left pending. */
  resume(): void {
    for (const delivery of this.parts.store.all('delivery')) {
      if (delivery.status === 'pending') this.schedule(delivery.id, 0);
    }
  }

  /** Starts the deliveries of committed events, and applies the active event faults to them. */
  dispatch(emitted: Emitted[]): void {
    if (this.closed) return;
    for (const { event, deliveries } of emitted) {
      const row = this.parts.store.get('event', event);
      if (row && deliveries.length > 0) this.start(row, deliveries);
    }
  }

  /** Sends stored events again, with their own ids and new signatures. */
  redeliver(filter: RedeliveryFilter): string[] {
    const { store, now } = this.parts;
    const events = store
      .all('event')
      .filter(
        (event) =>
          (filter.event === undefined || event.value.id === filter.event) &&
          (filter.type === undefined || event.value.type === filter.type) &&
          isSelected(filter, event),
      );
    for (const event of events) {
      const endpoints = endpointsFor(store, event, this.parts.defaultEndpoint !== null);
      const ids = store.transaction(() => endpoints.map((endpoint) => putDelivery(store, event, endpoint, now()).id));
      for (const id of ids) this.schedule(id, 0);
    }
    return events.map((event) => event.value.id);
  }

  /**
   * Returns the address of an endpoint, and the secret with which the account's events are signed for this endpoint.
   * Null if there is no such endpoint.
   */
  endpoint(id: string, account = ''): { url: string; secret: string } | null {
    const { defaultEndpoint: usual } = this.parts;
    if (id === DEFAULT_ENDPOINT)
      return usual && { url: usual.url, secret: usual.secrets?.get(account) ?? usual.secret };
    const row = this.parts.store.get('webhook_endpoint', id);
    return row ? { url: row.value.url, secret: row.secret } : null;
  }

  /** Stops all attempts. Pending deliveries stay pending. */
  stop(): void {
    for (const timer of this.timers.values()) clearTimeout(timer);
    this.timers.clear();
    this.shuffler.clear();
    this.abort.abort();
    this.abort = new AbortController();
  }

  /** Stops all attempts and accepts no further events. */
  close(): void {
    this.closed = true;
    this.stop();
  }

  private start(event: EventRow, deliveries: string[]): void {
    const { faults, store, now } = this.parts;
    const duplicate = faults.forEvent('duplicate_events', event);
    const shuffle = faults.forEvent('shuffle_events', event);
    const delay = faults.forEvent('delay_events', event);
    for (const fault of [duplicate, shuffle, delay]) if (fault) faults.use(fault);
    const ids = [...deliveries];
    const endpoints = deliveries.flatMap((id) => store.get('delivery', id)?.endpoint ?? []);
    for (let copy = 1; copy < (duplicate?.copies ?? 1); copy += 1) {
      ids.push(...store.transaction(() => endpoints.map((endpoint) => putDelivery(store, event, endpoint, now()).id)));
    }
    if (shuffle) this.shuffler.add(shuffle, ids);
    else for (const id of ids) this.schedule(id, delay?.delay_ms ?? 0);
  }

  private schedule(id: string, pauseMs: number): void {
    if (this.closed) return;
    clearTimeout(this.timers.get(id));
    const timer = setTimeout(() => {
      this.timers.delete(id);
      void this.attempt(id);
    }, pauseMs);
    this.timers.set(id, timer);
  }

  private async attempt(id: string): Promise<void> {
    const { store } = this.parts;
    const { signal } = this.abort;
    const delivery = store.get('delivery', id);
    const event = delivery && store.get('event', delivery.event);
    if (!event || delivery.status !== 'pending' || signal.aborted) return;
    const endpoint = this.endpoint(delivery.endpoint, event.account);
    const result: PostResult = endpoint
      ? await postSigned(endpoint.url, endpoint.secret, JSON.stringify(event.value, null, 2), signal)
      : { status: null, error: 'the endpoint no longer exists' };
    // An attempt that was interrupted is not counted and is repeated at the next start.
    if (signal.aborted) return;
    const attempted = this.record(delivery, result, endpoint === null);
    if (attempted.status !== 'pending') return;
    this.schedule(id, Math.min(this.parts.retryBaseMs * 2 ** (attempted.attempts - 1), MAX_BACKOFF_MS));
  }

  private record(delivery: Delivery, result: PostResult, final: boolean): Delivery {
    const { store, now, log } = this.parts;
    const attempts = delivery.attempts + 1;
    const delivered = result.status !== null && result.status >= 200 && result.status < 300;
    const exhausted = final || attempts >= MAX_ATTEMPTS;
    const attempted: Delivery = {
      ...delivery,
      attempts,
      status: delivered ? 'delivered' : exhausted ? 'failed' : 'pending',
      last_status: result.status,
      last_error: result.error,
      delivered_at: delivered ? new Date(now()).toISOString() : null,
    };
    store.transaction(() => store.put('delivery', delivery.id, attempted));
    log(`event ${delivery.type} ${delivery.event} -> ${result.status ?? result.error} (attempt ${attempts})`);
    return attempted;
  }
}
