/**
 * Verifies the webhook signature of a Checkout.com event (HMAC over the raw body), and reduces the event to the fields
 * that are used.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type EventReader, identifier, instant, type ReceivedEvent, referenceOf } from '../events.js';
import { EventRefused, type ProcessorEvent } from '../port.js';

const SIGNATURE = 'cko-signature';
const TOLERANCE_MS = 300_000;

/**
 * Our names of event types by Checkout.com's names; events that are not listed here are acknowledged and ignored. An
 * approved authorization matters only for hosted pages.
 */
const TYPES: Readonly<Record<string, string>> = {
  payment_captured: 'payment_intent.succeeded',
  payment_declined: 'payment_intent.payment_failed',
  payment_capture_declined: 'payment_intent.payment_failed',
  payment_refunded: 'charge.refund.updated',
  payment_refund_declined: 'charge.refund.updated',
  dispute_received: 'charge.dispute.created',
  dispute_evidence_required: 'charge.dispute.created',
  dispute_evidence_submitted: 'charge.dispute.updated',
  dispute_accepted: 'charge.dispute.updated',
  dispute_expired: 'charge.dispute.updated',
  dispute_canceled: 'charge.dispute.closed',
  dispute_resolved: 'charge.dispute.closed',
  dispute_won: 'charge.dispute.closed',
  dispute_lost: 'charge.dispute.closed',
  dispute_arbitration_sent_to_scheme: 'charge.dispute.updated',
  dispute_arbitration_won: 'charge.dispute.closed',
  dispute_arbitration_lost: 'charge.dispute.closed',
};

export const checkoutEvents: EventReader = {
  processorNamedIn: (rawBody) => {
    try {
      return identifier((JSON.parse(rawBody.toString('utf8')) as Body).data?.metadata?.['processor_id']);
    } catch {
      return null;
    }
  },
  read: async (event, secrets) => readEvent(event, secrets),
};

interface Body {
  id?: unknown;
  type?: unknown;
  /** The time of the event is in one of two fields: `created_on` or `timestamp`. */
  created_on?: unknown;
  timestamp?: unknown;
  data?: {
    id?: unknown;
    /** The disputed payment; absent in events that are not about a dispute. */
    payment_id?: unknown;
    amount?: unknown;
    currency?: unknown;
    response_code?: unknown;
    processed_on?: unknown;
    metadata?: Record<string, unknown>;
  };
}

function readEvent({ rawBody, header, receivedAt }: ReceivedEvent, secrets: string[]): ProcessorEvent {
  const sentSignature = Buffer.from(header(SIGNATURE) ?? '');
  const matches = secrets.map((secret) => {
    const own = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
    return own.length === sentSignature.length && timingSafeEqual(own, sentSignature);
  });
  if (!matches.includes(true)) throw new EventRefused('The signature does not match.');
  return reduce(bodyOf(rawBody), receivedAt);
}

function bodyOf(rawBody: Buffer): Body {
  try {
    const body: unknown = JSON.parse(rawBody.toString('utf8'));
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Not JSON: the error is thrown below.
  }
  throw new EventRefused('The event cannot be read.');
}

function reduce(body: Body, receivedAt: number): ProcessorEvent {
  const { data = {} } = body;
  const id = identifier(body.id);
  const type = identifier(body.type);
  if (!id || !type) throw new EventRefused('The event has no id or no type.');
  // An old time is accepted, because Checkout.com repeats deliveries for days. A future time is refused: somebody could
  // store such an event and replay it later.
  const at = body.created_on ?? body.timestamp;
  const created = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  if (!(created <= receivedAt + TOLERANCE_MS))
    throw new EventRefused('The event has no time, or a time in the future.');
  const { amount } = data;
  const reference = referenceOf(data.metadata);
  const isDispute = type.startsWith('dispute_');
  const isOnPage = reference['invoice_id'] !== undefined || reference['donation_id'] !== undefined;
  return {
    id,
    type: type === 'payment_approved' && isOnPage ? 'page.approved' : (TYPES[type] ?? type),
    intentId: identifier(isDispute ? data.payment_id : data.id),
    amountCents: typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : 0,
    currency: identifier(data.currency)?.toLowerCase() ?? null,
    reference,
    failureCode: type.endsWith('declined') ? identifier(data.response_code) : null,
    ...(type === 'payment_captured' && { capturedAt: instant(data.processed_on ?? at) }),
    ...(isDispute && { disputeId: identifier(data.id) }),
  };
}
