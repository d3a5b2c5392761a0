/** Webhook signatures. */
import { createHmac } from 'node:crypto';

/** Returns the Stripe-Signature header of a payload. @param timestamp in seconds */
export function signatureHeader(payload: string, secret: string, timestamp: number): string {
  const digest = createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex');
  return `t=${timestamp},v1=${digest}`;
}
