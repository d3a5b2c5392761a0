/** Webhook events in PayPal's format, with its signatures. */
import { createSign, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { WebhookSender } from '../kit/webhookSender.js';
import { paypalCertificates } from './certificates.js';
import type { PaypalEvent } from './money.js';
import type { Endpoint, Fields, State } from './state.js';

export const CERTIFICATE_PATH = '/v1/notifications/certs/CERT-standin-1';

function resourceOf(type: string): string {
  if (type.startsWith('CUSTOMER.DISPUTE')) return 'dispute';
  if (type.includes('REFUND') || type.includes('REVERSED')) return 'refund';
  return type.startsWith('CHECKOUT') ? 'checkout-order' : 'capture';
}

export interface SignedBody {
  body: string;
  headers: Record<string, string>;
}

export class Hooks {
  private readonly teller: WebhookSender<Endpoint>;

  constructor(
    private readonly state: State,
    private readonly url: () => string,
    log: (line: string) => void,
  ) {
    this.teller = new WebhookSender(({ webhook_id }, body) => this.sign(body, webhook_id).headers, log);
  }

  tell({ account, type, resource }: PaypalEvent): Fields {
    const event = {
      id: `WH-${randomUUID().toUpperCase()}`,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      resource_type: resourceOf(type),
      event_type: type,
      resource,
    };
    this.state.kept.event[event.id] = { account, event };
    this.teller.sendEvent(this.state.kept.endpoints, account, event);
    return event;
  }

  close(): void {
    this.teller.close();
  }

  /** Returns an event body with the headers that sign it for the webhook with this id. */
  sign(body: string, webhookId: string, at = new Date()): SignedBody {
    const id = randomUUID();
    const time = at.toISOString();
    const signed = createSign('sha256').update(`${id}|${time}|${webhookId}|${crc32(body)}`);
    return {
      body,
      headers: {
        'paypal-transmission-id': id,
        'paypal-transmission-time': time,
        'paypal-transmission-sig': signed.sign(paypalCertificates().privateKey, 'base64'),
        'paypal-cert-url': this.url() + CERTIFICATE_PATH,
        'paypal-auth-algo': 'SHA256withRSA',
      },
    };
  }
}
