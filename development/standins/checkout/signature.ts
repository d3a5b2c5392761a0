/** How Checkout.com signs an event: over the body as it is sent. */
import { createHmac } from 'node:crypto';

export const checkoutSignature = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');
