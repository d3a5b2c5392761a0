/** Checkout.com's webhook deliveries, signed over the body as it is sent. */
import { createHmac } from 'node:crypto';
import { WebhookSender } from '../kit/webhookSender.js';
import type { PaymentEvent } from './operations.js';
import { type Endpoint, idOf, type State } from './state.js';

export class Hooks {
  private readonly teller: WebhookSender<Endpoint>;

  constructor(
    private readonly state: State,
    log: (line: string) => void,
  ) {
    const sign = ({ secret }: Endpoint, body: string) => ({ 'cko-signature': checkoutSignature(body, secret) });
    this.teller = new WebhookSender(sign, log);
  }

  tell({ account, type, data }: PaymentEvent): void {
    const timestamp = new Date().toISOString();
    this.teller.sendEvent(this.state.kept.endpoints, account, {
      id: idOf('evt'),
      type,
      timestamp,
      version: '1.0.29',
      data,
    });
  }

  close(): void {
    this.teller.close();
  }
}

export const checkoutSignature = (body: string, secret: string): string =>
  createHmac('sha256', secret).update(body).digest('hex');
