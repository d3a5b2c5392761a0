/**
 * Verifies the webhook signature of a PayPal event. The signature covers only a checksum (CRC-32) of the body, which
 * can be forged. Therefore the event is read again by its id with the account's credentials, and only that response is
 * used.
 */
import { verify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type EventReader, identifier, instant, type ReceivedEvent } from '../events.js';
import { type Credentials, EventRefused, type ProcessorEvent } from '../port.js';
import { readPaypal } from './account.js';
import { signingKeyAt } from './certificates.js';
import { readMarks } from './marks.js';

const TOLERANCE_MS = 300_000;

/**
 * Our names of event types by PayPal's names. Events that are not listed here keep PayPal's name, and are only
 * acknowledged.
 */
const TYPES: Readonly<Record<string, string>> = {
  'CHECKOUT.ORDER.APPROVED': 'page.approved',
  'PAYMENT.CAPTURE.COMPLETED': 'payment_intent.succeeded',
  'PAYMENT.CAPTURE.DENIED': 'payment_intent.payment_failed',
  'PAYMENT.CAPTURE.DECLINED': 'payment_intent.payment_failed',
  'PAYMENT.CAPTURE.REFUNDED': 'charge.refund.updated',
  'PAYMENT.CAPTURE.REVERSED': 'charge.refund.updated',
  'PAYMENT.REFUND.PENDING': 'charge.refund.updated',
  'PAYMENT.REFUND.FAILED': 'refund.failed',
  'CUSTOMER.DISPUTE.CREATED': 'charge.dispute.created',
  'CUSTOMER.DISPUTE.UPDATED': 'charge.dispute.updated',
  'CUSTOMER.DISPUTE.RESOLVED': 'charge.dispute.closed',
};

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

export const paypalEvents: EventReader = {
  processorNamedIn: (rawBody) => marksOf(fieldsOf(fieldsOf(parsed(rawBody))['resource']))['processor_id'] ?? null,

  /**
   * Verifies and reads an event.
   * @param webhookIds ids of our webhook at PayPal. Other providers have signing secrets here; these ids are a part of
   * the signed text, but are not secret
   */
  async read(event, webhookIds) {
    const id = identifier(fieldsOf(parsed(event.rawBody))['id']);
    if (!id) throw new EventRefused('The event has no id.');
    await assertSigned(event, webhookIds);
    const credentials = await event.credentials();
    const confirmed = fieldsOf(
      await readPaypal(`/v1/notifications/webhooks-events/${encodeURIComponent(id)}`, credentials),
    );
    if (confirmed['id'] !== id) throw new EventRefused('The account has no such event.');
    return reduce(id, confirmed, credentials);
  },
};

/** Returns our ids from a capture, or from the single purchase unit of an order. */
function marksOf(resource: Fields): Record<string, string> {
  const units: unknown = resource['purchase_units'];
  return readMarks(resource['custom_id'] ?? fieldsOf(Array.isArray(units) ? units[0] : null)['custom_id']);
}

function parsed(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

async function assertSigned({ rawBody, header, receivedAt }: ReceivedEvent, webhookIds: string[]): Promise<void> {
  const transmission = identifier(header('paypal-transmission-id'));
  const time = header('paypal-transmission-time') ?? '';
  const signature = Buffer.from(header('paypal-transmission-sig') ?? '', 'base64');
  if (!transmission || signature.length === 0 || header('paypal-auth-algo') !== 'SHA256withRSA')
    throw new EventRefused('The event is not signed.');
  // An old time is accepted, because PayPal repeats deliveries for days. A future time is refused: somebody could store
  // such an event and replay it later.
  if (!(Date.parse(time) <= receivedAt + TOLERANCE_MS))
    throw new EventRefused('The event has no time, or a time in the future.');
  const key = await signingKeyAt(header('paypal-cert-url') ?? '', receivedAt);
  const isSigned = webhookIds.some((webhookId) =>
    verify('sha256', Buffer.from(`${transmission}|${time}|${webhookId}|${crc32(rawBody)}`), key, signature),
  );
  if (!isSigned) throw new EventRefused('The signature does not match.');
}

async function reduce(id: string, event: Fields, credentials: Credentials): Promise<ProcessorEvent> {
  const name = identifier(event['event_type']);
  if (!name) throw new EventRefused('The event has no type.');
  const resource = fieldsOf(event['resource']);
  const isDispute = name.startsWith('CUSTOMER.DISPUTE.');
  const isOfCapture = isDispute || (TYPES[name] ?? '').includes('refund');
  const capture = isOfCapture ? await captureOf(resource, credentials) : resource;
  const amount = fieldsOf(resource[isDispute ? 'dispute_amount' : 'amount']);
  const cents = Math.round(Number(amount['value']) * 100);
  const relatedIds = fieldsOf(fieldsOf(capture['supplementary_data'])['related_ids']);
  const code = fieldsOf(resource['processor_response'])['response_code'];
  return {
    id,
    type: TYPES[name] ?? name,
    intentId: identifier(TYPES[name] === 'page.approved' ? resource['id'] : relatedIds['order_id']),
    amountCents: Number.isSafeInteger(cents) ? Math.max(0, cents) : 0,
    currency: identifier(amount['currency_code'])?.toLowerCase() ?? null,
    reference: isOfCapture ? {} : marksOf(resource),
    failureCode: identifier(code)?.toLowerCase() ?? null,
    ...(name === 'PAYMENT.CAPTURE.COMPLETED' && { capturedAt: instant(resource['create_time']) }),
    ...(isDispute && { disputeId: identifier(resource['dispute_id']) }),
  };
}

/**
 * Returns the capture to which a refund or a dispute belongs. A refund names its capture only by a link, a dispute by
 * its id.
 */
async function captureOf(
  { links, disputed_transactions: disputed }: Fields,
  credentials: Credentials,
): Promise<Fields> {
  const up = listOf(links).find(({ rel }) => rel === 'up');
  const [transaction] = listOf(disputed);
  const named = `/v2/payments/captures/${textOf(transaction?.['seller_transaction_id'])}`;
  const [, captureId] = /\/v2\/payments\/captures\/([A-Z0-9]{10,40})$/.exec(textOf(up?.['href']) || named) ?? [];
  return captureId ? fieldsOf(await readPaypal(`/v2/payments/captures/${captureId}`, credentials)) : {};
}

const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
