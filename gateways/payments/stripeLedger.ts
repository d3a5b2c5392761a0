/** Reads what was captured in an account at Stripe, for the check of our ledger. Changes nothing. */
import StripeSdk from 'stripe';
import type { ChargeReference } from './port.js';
import { stripeAddress } from './stripe.js';
import { refundOf } from './stripeAnswers.js';

/** A charge that was captured. */
export interface CapturedCharge {
  intentId: string;
  capturedCents: number;
  /** Whether the charge was ever refunded. */
  hasRefunds: boolean;
  /** Our ids on the charge, if it is ours. */
  reference: ChargeReference;
  createdAt: Date;
}

export interface GatewayLedger {
  /** Yields the captured charges that were opened since this time, newest first. */
  capturedSince(since: Date): AsyncGenerator<CapturedCharge>;
  /** Returns the captured cents of a charge; 0 if there is no such charge. */
  capturedCents(intentId: string): Promise<number>;
  /**
   * Returns the refunded cents of a charge, without failed refunds, and the time of the last refund. The time is null
   * if it is unknown, or if there was no refund.
   */
  refunded(intentId: string): Promise<{ cents: number; lastAt: Date | null }>;
}

/**
 * Returns a reader of the captured charges of an account at Stripe.
 * @param apiUrl the address of the API; absent: Stripe's own
 */
export function stripeLedger(secretKey: string, apiUrl?: string): GatewayLedger {
  const stripe = new StripeSdk(secretKey, { ...stripeAddress(apiUrl), timeout: 10_000, telemetry: false });
  return {
    async *capturedSince(since) {
      const created = { gte: Math.floor(since.getTime() / 1000) };
      for await (const intent of stripe.paymentIntents.list({ created, limit: 100, expand: ['data.latest_charge'] })) {
        if (intent.status === 'succeeded') yield capturedChargeOf(intent);
      }
    },
    async capturedCents(intentId) {
      try {
        return (await stripe.paymentIntents.retrieve(intentId)).amount_received;
      } catch (error) {
        if (error instanceof StripeSdk.errors.StripeInvalidRequestError && error.code === 'resource_missing') return 0;
        throw error;
      }
    },
    async refunded(intentId) {
      let cents = 0;
      let last = 0;
      for await (const refund of stripe.refunds.list({ payment_intent: intentId, limit: 100 })) {
        last = Math.max(last, refund.created);
        if (refundOf(refund).status !== 'failed') cents += refund.amount;
      }
      return { cents, lastAt: last > 0 ? new Date(last * 1000) : null };
    },
  };
}

/** Describes why an account could not be read, without the provider's text about its key. */
export function describeFailure(error: unknown): string {
  const { StripeAuthenticationError, StripePermissionError, StripeError } = StripeSdk.errors;
  if (error instanceof StripeAuthenticationError || error instanceof StripePermissionError)
    return 'the provider refuses its key';
  if (error instanceof StripeError) return 'the provider does not answer';
  return error instanceof Error ? error.message : 'unknown';
}

const capturedChargeOf = (intent: StripeSdk.PaymentIntent): CapturedCharge => ({
  intentId: intent.id,
  capturedCents: intent.amount_received,
  hasRefunds: typeof intent.latest_charge === 'object' && (intent.latest_charge?.amount_refunded ?? 0) > 0,
  reference: intent.metadata,
  createdAt: new Date(intent.created * 1000),
});
