/** Events as Checkout.com signs and tells them: over the body as it is sent. */
import { createHmac } from 'node:crypto';
import { EventTeller } from '../kit/eventTeller.js';
import type { Told } from './operations.js';
import { type Endpoint, idOf, type State } from './state.js';

export class Hooks {
  private readonly teller: EventTeller<Endpoint>;

  constructor(
    private readonly state: State,
    log: (line: string) => void,
  ) {
    const sign = ({ secret }: Endpoint, body: string) => ({ 'cko-signature': checkoutSignature(body, secret) });
    this.teller = new EventTeller(sign, log);
  }

  tell({ account, type, data }: Told): void {
    const timestamp = new Date().toISOString();
    this.teller.tell(this.state.kept.endpoints, account, {
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
