/** Square's webhook deliveries with their signatures. */
import { createHmac, randomUUID } from 'node:crypto';
import { WebhookSender } from '../kit/webhookSender.js';
import type { SquareEvent } from './money.js';
import type { Endpoint, State } from './state.js';

export class Hooks {
  private readonly teller: WebhookSender<Endpoint>;

  constructor(
    private readonly state: State,
    log: (line: string) => void,
  ) {
    const sign = ({ url, secret }: Endpoint, body: string) => ({
      'x-square-hmacsha256-signature': squareSignatureOf(url, body, secret),
    });
    this.teller = new WebhookSender(sign, log);
  }

  tell({ account, type, object }: SquareEvent): void {
    const [kind = ''] = type.split('.');
    const id = (object[kind] as { id?: string }).id;
    this.teller.sendEvent(this.state.kept.endpoints, account, {
      merchant_id: account,
      type,
      event_id: randomUUID(),
      created_at: new Date().toISOString(),
      data: { type: kind, id, object },
    });
  }

  close(): void {
    this.teller.close();
  }
}

export const squareSignatureOf = (url: string, body: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(url + body)
    .digest('base64');
