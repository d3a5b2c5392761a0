/** Events as a payment processor signs and sends them. */
import { createHmac, randomUUID } from 'node:crypto';
import { type Platform, WEBHOOK_SECRET } from './platform.js';

export interface SentEvent {
  /** The processor in the address. */
  to: string;
  secret?: string;
  object: Record<string, unknown>;
}

/** Sends an event of this type to a processor's address. @returns the answer */
export async function sendEvent(
  platform: Pick<Platform, 'api'>,
  type: string,
  { to, secret = WEBHOOK_SECRET, object }: SentEvent,
) {
  const body = JSON.stringify({ id: `evt_${randomUUID()}`, object: 'event', type, data: { object } });
  const t = Math.floor(Date.now() / 1000);
  const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  const response = await fetch(`${platform.api.url}/api/finances/webhooks/processor/?processor=${to}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Stripe-Signature': `t=${t},v1=${v1}` },
    body,
  });
  return { status: response.status, body: (await response.json()) as { code?: string } };
}

/** A charge that captured this amount, as in its success event. */
export const paidIntent = (amount: number, metadata: Record<string, string>, id = `pi_${randomUUID()}`) => ({
  id,
  object: 'payment_intent',
  status: 'succeeded',
  currency: 'usd',
  amount,
  amount_received: amount,
  metadata,
});

/** Returns the charge with this amount refunded in total. */
export const refundedCharge = ({ id, amount, metadata }: ReturnType<typeof paidIntent>, refunded = amount) => ({
  object: 'charge',
  payment_intent: id,
  currency: 'usd',
  amount,
  amount_refunded: refunded,
  metadata,
});
