/** Signed events of Stripe: verified, bounded in time both ways, reduced to what we use. */
import StripeSdk from 'stripe';
import { EventRefused, type ProcessorEvent } from './port.js';

const TOLERANCE_SECONDS = 300;

/**
 * @param secrets the current signing secret and, during a rotation, the one before
 * @throws EventRefused
 */
export function readStripeEvent(rawBody: Buffer, signature: string | undefined, secrets: string[]): ProcessorEvent {
  refuseFuture(signature);
  for (const secret of secrets) {
    try {
      return reduce(StripeSdk.webhooks.constructEvent(rawBody, signature ?? '', secret, TOLERANCE_SECONDS));
    } catch (error) {
      if (!(error instanceof StripeSdk.errors.StripeSignatureVerificationError))
        throw new EventRefused('The event cannot be read.');
    }
  }
  throw new EventRefused('The signature does not match.');
}

// The SDK refuses old signatures only; one from the future could be kept and used later.
function refuseFuture(signature: string | undefined): void {
  const at = Number(/(?:^|,)t=(\d+)/.exec(signature ?? '')?.[1]);
  if (!Number.isFinite(at)) throw new EventRefused('The signature is missing.');
  if (at > Date.now() / 1000 + TOLERANCE_SECONDS) throw new EventRefused('The signature is from the future.');
}

function reduce(event: StripeSdk.Event): ProcessorEvent {
  const object = event.data.object as unknown as Record<string, unknown>;
  const failure = object['last_payment_error'] as { code?: string; decline_code?: string } | null | undefined;
  return {
    id: event.id,
    type: event.type,
    intentId: intentOf(object),
    amountCents: amountOf(event.type, object),
    reference: referenceOf(object['metadata']),
    failureCode: failure?.decline_code ?? failure?.code ?? null,
  };
}

function intentOf(object: Record<string, unknown>): string | null {
  const id = object['object'] === 'payment_intent' ? object['id'] : object['payment_intent'];
  return typeof id === 'string' ? id : null;
}

function amountOf(type: string, object: Record<string, unknown>): number {
  const field =
    type === 'charge.refunded' ? 'amount_refunded' : type === 'payment_intent.succeeded' ? 'amount_received' : 'amount';
  const amount = object[field];
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : 0;
}

function referenceOf(metadata: unknown): Record<string, string> {
  const entries = Object.entries((metadata ?? {}) as Record<string, unknown>);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
