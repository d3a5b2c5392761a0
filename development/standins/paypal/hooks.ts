/** Events, signed as PayPal signs them, to whoever wants to hear them; told again while nobody takes them. */
import { createSign, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Certificates, makeCertificates } from '../kit/certificates.js';
import type { Told } from './money.js';
import type { Endpoint, Fields, State } from './state.js';

const TRIES = 6;
const FIRST_PAUSE_MS = 200;
export const CERTIFICATE_PATH = '/v1/notifications/certs/CERT-standin-1';

let made: Certificates | undefined;
/** One for the whole program: it takes a moment to make. */
export const paypalCertificates = (): Certificates =>
  (made ??= makeCertificates(new Date(), 'messageverificationcerts.paypal.com'));

export interface SignedBody {
  body: string;
  headers: Record<string, string>;
}

export class Hooks {
  private readonly pauses = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly state: State,
    private readonly url: () => string,
    private readonly log: (line: string) => void,
  ) {}

  tell({ account, type, resource }: Told): Fields {
    const event = {
      id: `WH-${randomUUID().toUpperCase()}`,
      event_version: '1.0',
      create_time: new Date().toISOString(),
      resource_type: type.includes('REFUND') ? 'refund' : type.startsWith('CHECKOUT') ? 'checkout-order' : 'capture',
      event_type: type,
      resource,
    };
    this.state.kept.event[event.id] = { account, event };
    for (const endpoint of this.state.kept.endpoints)
      if (endpoint.account === null || endpoint.account === account) this.later(endpoint, JSON.stringify(event), 0, 0);
    return event;
  }

  close(): void {
    this.closed = true;
    for (const pause of this.pauses) clearTimeout(pause);
  }

  /** What PayPal sends of it to a webhook of this id. */
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

  private later(endpoint: Endpoint, body: string, tries: number, ms: number): void {
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      void this.send(endpoint, body, tries);
    }, ms);
    this.pauses.add(pause);
  }

  private async send(endpoint: Endpoint, body: string, tries: number): Promise<void> {
    const headers = { 'Content-Type': 'application/json', ...this.sign(body, endpoint.webhook_id).headers };
    const answer = await fetch(endpoint.url, { method: 'POST', body, headers }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok || this.closed) return;
    if (tries + 1 < TRIES) this.later(endpoint, body, tries + 1, FIRST_PAUSE_MS * 2 ** tries);
    else this.log(`event to ${new URL(endpoint.url).origin} given up`);
  }
}
