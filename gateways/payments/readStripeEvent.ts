/** Verifies the webhook signature of a Stripe event and its time, and reduces the event to the fields that are used. */
import StripeSdk from 'stripe';
import { identifier, instant, type ReceivedEvent, referenceOf } from './events.js';
import { EventRefused, type ProcessorEvent } from './port.js';

const STRIPE_SIGNATURE = 'stripe-signature';
const TOLERANCE_SECONDS = 300;

/**
 * Verifies and reads an event.
 * @throws EventRefused
 */
export function readStripeEvent({ rawBody, header, receivedAt }: ReceivedEvent, secrets: string[]): ProcessorEvent {
  const signature = header(STRIPE_SIGNATURE);
  refuseFuture(signature, receivedAt);
  for (const secret of secrets) {
    try {
      const { webhooks } = StripeSdk;
      return reduce(
        webhooks.constructEvent(rawBody, signature ?? '', secret, TOLERANCE_SECONDS, undefined, receivedAt),
      );
    } catch (error) {
      if (!(error instanceof StripeSdk.errors.StripeSignatureVerificationError))
        throw new EventRefused('The event cannot be read.');
    }
  }
  throw new EventRefused('The signature does not match.');
}

// The SDK refuses only old signatures. A signature from the future could be stored and replayed later.
function refuseFuture(signature: string | undefined, receivedAt: number): void {
  const times = [...(signature ?? '').matchAll(/(?:^|,)\s*t=([^,]*)/g)].map(([, at]) => Number(at));
  const [at] = times;
  // If a header had two times, the library could verify a different one than we check here.
  if (times.length !== 1 || !Number.isFinite(at)) throw new EventRefused('The signature is missing.');
  if ((at as number) > receivedAt / 1000 + TOLERANCE_SECONDS)
    throw new EventRefused('The signature is from the future.');
}

function reduce(event: StripeSdk.Event): ProcessorEvent {
  const object = (event.data?.object ?? {}) as unknown as Record<string, unknown>;
  const failure = object['last_payment_error'] as { code?: unknown; decline_code?: unknown } | null | undefined;
  const id = identifier(event.id);
  const type = identifier(event.type);
  if (!id || !type) throw new EventRefused('The event has no id or no type.');
  return {
    id,
    type,
    intentId: identifier(object['object'] === 'payment_intent' ? object['id'] : object['payment_intent']),
    amountCents: amountOf(type, object),
    currency: identifier(object['currency'])?.toLowerCase() ?? null,
    reference: referenceOf(object['metadata']),
    failureCode: identifier(failure?.decline_code) ?? identifier(failure?.code),
    ...(type === 'payment_intent.succeeded' && { capturedAt: instant(event.created) }),
  };
}

function amountOf(type: string, object: Record<string, unknown>): number {
  const field =
    type === 'charge.refunded' ? 'amount_refunded' : type === 'payment_intent.succeeded' ? 'amount_received' : 'amount';
  const amount = object[field];
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : 0;
}
