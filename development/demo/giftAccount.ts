/** The foundation's account at the stand-in gateway: its webhook endpoint, and disputes of its charges. */
import { config } from '../../config.js';
import { giftAccountOf } from '../seeding/cardAccount.js';
import { DemoFailed } from './client.js';
import type { DemoFacts } from './facts.js';
import { DemoGateway } from './gateway.js';

interface Entry {
  kind: string;
  payment_intent: string;
  amount_cents: number;
}

export class GiftAccount {
  private constructor(
    readonly gateway: DemoGateway,
    private readonly controlUrl: string,
    private readonly ledgerUrl: string,
    private readonly endpointId: string,
  ) {}

  /**
   * Registers a webhook address for the events of the account, as an administrator does at the provider. The address
   * names the payment processor, because the event of a dispute does not name it.
   * @returns null for a real gateway
   */
  static async open({ base_url, gateway }: DemoFacts, slug: string, processorId: string): Promise<GiftAccount | null> {
    const { control_url: controlUrl, ledger_url: ledgerUrl } = gateway;
    if (!controlUrl || !ledgerUrl) return null;
    const { secretKey, webhookSecret } = giftAccountOf(slug, {
      secretKey: config.STRIPE_SECRET_KEY,
      webhookSecret: config.STRIPE_WEBHOOK_SECRET,
    });
    const { id } = await ask<{ id: string }>(`${controlUrl}/webhook-endpoints`, 'POST', {
      account_key: secretKey,
      url: `${base_url}/api/finances/webhooks/processor/?processor=${processorId}`,
      secret: webhookSecret,
    });
    return new GiftAccount(new DemoGateway(controlUrl, ledgerUrl), controlUrl, ledgerUrl, id);
  }

  async close(): Promise<void> {
    await ask(`${this.controlUrl}/webhook-endpoints/${this.endpointId}`, 'DELETE');
  }

  /** Lets a bank dispute the newest charge of an amount. @returns the id of the dispute */
  async dispute(amountCents: number): Promise<string> {
    const entries = await ask<Entry[]>(this.ledgerUrl, 'GET');
    const charge = entries.findLast(({ kind, amount_cents: cents }) => kind === 'capture' && cents === amountCents);
    if (!charge) throw new DemoFailed('The gateway did not capture the gift.');
    return (await this.bank({ kind: 'dispute_open', payment_intent: charge.payment_intent })).id;
  }

  async win(dispute: string): Promise<void> {
    await this.bank({ kind: 'dispute_won', dispute });
  }

  private bank(order: object): Promise<{ id: string }> {
    return ask<{ id: string }>(`${this.controlUrl}/disputes`, 'POST', order);
  }
}

async function ask<T>(url: string, method: string, body?: object): Promise<T> {
  const answer = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new DemoFailed(`The gateway answered ${answer.status} to ${method} ${url}.`);
  return (await answer.json()) as T;
}
