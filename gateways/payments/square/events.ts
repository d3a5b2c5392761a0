/** Verifies the webhook signature of a Square event: an HMAC over the notification URL and the body. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type EventReader, identifier, instant, type ReceivedEvent } from '../events.js';
import { EventRefused, type ProcessorEvent } from '../port.js';
import { readMarks } from './marks.js';

const SIGNATURE = 'x-square-hmacsha256-signature';

export const squareEvents: EventReader = {
  // Returns no processor id from the body: the notification URL names the processor, and the signature covers that URL.
  processorNamedIn: () => null,
  read: async (event, secrets) => {
    if (!secrets.some((secret) => isSigned(event, secret))) throw new EventRefused('The signature does not match.');
    return reduce(event.rawBody);
  },
};

/** Returns the signature that Square sends with an event for this key. */
const squareSignature = (url: string, rawBody: Buffer, secret: string): Buffer =>
  createHmac('sha256', secret).update(url).update(rawBody).digest();

function isSigned({ rawBody, header, url }: ReceivedEvent, secret: string): boolean {
  const sent = Buffer.from(header(SIGNATURE) ?? '', 'base64');
  const expected = squareSignature(url, rawBody, secret);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

type Fields = Record<string, unknown>;
const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};

function reduce(rawBody: Buffer): ProcessorEvent {
  const event = fieldsOf(parsed(rawBody));
  const id = identifier(event['event_id']);
  const name = identifier(event['type']);
  if (!id || !name) throw new EventRefused('The event has no id or no type.');
  const object = fieldsOf(fieldsOf(event['data'])['object']);
  const payment = fieldsOf(object['payment']);
  const refund = fieldsOf(object['refund']);
  const dispute = fieldsOf(object['dispute']);
  const isRefund = name.startsWith('refund.');
  const isDispute = name.startsWith('dispute.');
  const refundOrDispute = isRefund ? refund : isDispute ? dispute : null;
  const money = fieldsOf(
    refundOrDispute ? refundOrDispute['amount_money'] : (payment['total_money'] ?? payment['amount_money']),
  );
  const card = fieldsOf(payment['card_details']);
  const [error] = [card['errors']].flat();
  const type = typeOf(name, String((isRefund ? refund : payment)['status']));
  return {
    id,
    type,
    intentId: identifier(
      isDispute ? fieldsOf(dispute['disputed_payment'])['payment_id'] : isRefund ? refund['payment_id'] : payment['id'],
    ),
    amountCents: Number.isSafeInteger(money['amount']) ? Math.max(0, money['amount'] as number) : 0,
    currency: identifier(money['currency'])?.toLowerCase() ?? null,
    reference: refundOrDispute ? {} : readMarks(payment['note']),
    failureCode: identifier(fieldsOf(error)['code'])?.toLowerCase() ?? null,
    ...(type === 'payment_intent.succeeded' && {
      capturedAt: instant(fieldsOf(card['card_payment_timeline'])['captured_at'] ?? payment['created_at']),
    }),
    ...(isDispute && { disputeId: identifier(dispute['id'] ?? dispute['dispute_id']) }),
  };
}

function parsed(rawBody: Buffer): unknown {
  try {
    return JSON.parse(rawBody.toString('utf8')) as unknown;
  } catch {
    throw new EventRefused('The event cannot be read.');
  }
}

/** Returns our event type; an event that we do not use keeps its own name and is acknowledged. */
function typeOf(name: string, status: string): string {
  if (name === 'payment.created' || name === 'payment.updated') {
    if (status === 'COMPLETED') return 'payment_intent.succeeded';
    if (status === 'FAILED') return 'payment_intent.payment_failed';
  }
  if (name === 'refund.created' || name === 'refund.updated')
    return status === 'FAILED' || status === 'REJECTED' ? 'refund.failed' : 'charge.refund.updated';
  if (name === 'dispute.created') return 'charge.dispute.created';
  // `dispute.state.changed` is the former name of this event.
  if (name === 'dispute.state.updated' || name === 'dispute.state.changed') return 'charge.dispute.updated';
  return name;
}
