/**
 * Writes events in the transaction of the change that they report. Each event gets a pending delivery for every
 * endpoint.
 */
import type Stripe from 'stripe';
import { newId } from '../state/identifiers.js';
import type { Store } from '../state/store.js';
import type { Delivery, EventRow, Subject } from '../state/types.js';
import type { Call } from '../wire/call.js';
import { seconds } from '../wire/call.js';

/** The API version that the stand-in implements. */
export const API_VERSION = '2026-10-28.endive';

/** Id of the webhook endpoint that was passed to the stand-in when it started. */
export const DEFAULT_ENDPOINT = 'default';

const NO_SUBJECT: Subject = { remittanceId: null, donationId: null, pledgeId: null };

/** Writes an event about an object and its deliveries, in the current transaction. */
export function emit(call: Call, type: Stripe.Event.Type, object: object, subject: Subject | null): void {
  const event = {
    id: newId('evt'),
    object: 'event',
    api_version: API_VERSION,
    created: seconds(call),
    data: { object },
    livemode: call.livemode,
    pending_webhooks: 0,
    request: { id: call.requestId, idempotency_key: call.idempotencyKey },
    type,
  } as Stripe.Event;
  const row: EventRow = { account: call.account, value: event, ...(subject ?? NO_SUBJECT) };
  const endpoints = endpointsFor(call.store, row, call.hasDefaultEndpoint);
  event.pending_webhooks = endpoints.length;
  call.store.put('event', event.id, row);
  const deliveries = endpoints.map((endpoint) => putDelivery(call.store, row, endpoint, call.now()).id);
  call.emitted.push({ event: event.id, deliveries });
}

/** Returns the endpoints that are registered for an event. */
export function endpointsFor(store: Store, event: EventRow, hasDefaultEndpoint: boolean): string[] {
  const registered = store.all('webhook_endpoint').filter((endpoint) => {
    const { status, enabled_events: enabledEvents } = endpoint.value;
    const hears = endpoint.account === '*' || endpoint.account === event.account;
    return hears && status === 'enabled' && (enabledEvents.includes('*') || enabledEvents.includes(event.value.type));
  });
  const ids = registered.map((endpoint) => endpoint.value.id);
  return hasDefaultEndpoint ? [DEFAULT_ENDPOINT, ...ids] : ids;
}

/** Writes a pending delivery of an event to an endpoint. */
export function putDelivery(store: Store, event: EventRow, endpoint: string, now: number): Delivery {
  const delivery: Delivery = {
    id: newId('dlv', 16),
    event: event.value.id,
    type: event.value.type,
    endpoint,
    remittance_id: event.remittanceId,
    donation_id: event.donationId,
    status: 'pending',
    attempts: 0,
    last_status: null,
    last_error: null,
    created_at: new Date(now).toISOString(),
    delivered_at: null,
  };
  store.put('delivery', delivery.id, delivery);
  return delivery;
}
