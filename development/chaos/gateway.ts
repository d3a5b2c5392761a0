/** A client of the stand-in gateway: its control port, and its API in the role of the organizations' accountants. */
import { z } from 'zod';
import { HANDLED_EVENTS } from '../../models/finances/webhooks/handledEvents.js';

const Ledger = z.array(
  z.object({
    kind: z.enum(['capture', 'refund']),
    payment_intent: z.string(),
    remittance_id: z.string().nullable(),
    donation_id: z.string().nullable(),
    idempotency_key: z.string().nullable(),
    amount_cents: z.number(),
    at: z.string(),
  }),
);
export type Movement = z.infer<typeof Ledger>[number];

const Deliveries = z.array(
  z.object({
    id: z.string(),
    event: z.string(),
    type: z.string(),
    attempts: z.number(),
    last_error: z.string().nullable(),
  }),
);
export type Delivery = z.infer<typeof Deliveries>[number];

const Listed = z.object({ data: z.array(z.looseObject({ id: z.string() })), has_more: z.boolean() });

const Faults = z.object({ faults: z.array(z.looseObject({ pledge_id: z.string().optional() })) });

const Sessions = z.array(z.object({ metadata: z.record(z.string(), z.string()) }));

const GatewayRefunds = z.array(
  z.object({
    id: z.string(),
    payment_intent: z.string(),
    amount: z.number(),
    status: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
);
export type GatewayRefund = z.infer<typeof GatewayRefunds>[number];

/**
 * Matches the end of the address to which the gateway's page redirects after a payment. The first form is that of an
 * invoice, the second that of a gift.
 */
const DONE_ADDRESS = /\?(?:payment=done|donation_id=[0-9a-f-]+)$/;

const TIMEOUT_MS = 3_000;

export class Gateway {
  /** Number of injected faults, by kind. */
  readonly injected = new Map<string, number>();

  constructor(
    readonly url: string,
    readonly controlUrl: string,
  ) {}

  get ledgerUrl(): string {
    return `${this.controlUrl}/ledger`;
  }

  /** Injects a fault. @returns false when the gateway is down, so that no fault was injected */
  async injectFault(fault: { kind: string; remittance_id?: string } & Record<string, unknown>): Promise<boolean> {
    const accepted = await this.send('POST', '/faults', fault);
    if (accepted) this.injected.set(fault.kind, (this.injected.get(fault.kind) ?? 0) + 1);
    return accepted;
  }

  /** Withholds the events of the pages of an invoice or a gift until the gateway is restarted. */
  async withholdEvents(subject: { invoice_id: string } | { donation_id: string }): Promise<void> {
    await this.injectFault({ kind: 'delay_events', ...subject, delay_ms: 3_600_000 });
  }

  /** Releases the held request about a remittance or a pledge. A gateway that was killed has lost it already. */
  async release(subject: { remittance_id: string } | { pledge_id: string }): Promise<void> {
    await this.send('POST', '/release', subject);
  }

  /**
   * Reports whether no fault waits for a request about the pledge any more: the gateway holds the request, or has lost the
   * fault. @throws Error when the gateway is down
   */
  async hasUsedFault(pledgeId: string): Promise<boolean> {
    const { faults } = Faults.parse(await this.read('/faults'));
    return faults.every(({ pledge_id }) => pledge_id !== pledgeId);
  }

  /** Redelivers the events of a remittance. */
  async repeatEvents(remittanceId: string): Promise<void> {
    if (await this.send('POST', '/events/redeliver', { remittance_id: remittanceId }))
      this.injected.set('repeat_events', (this.injected.get('repeat_events') ?? 0) + 1);
  }

  /** Refunds part of a charge, like an accountant in the provider's dashboard. @returns whether it succeeded */
  async refund(secretKey: string, paymentIntent: string, cents: number, idempotencyKey: string): Promise<boolean> {
    const body = new URLSearchParams({ payment_intent: paymentIntent, amount: String(cents) });
    const headers = { Authorization: `Bearer ${secretKey}`, 'Idempotency-Key': idempotencyKey };
    return (await reach(`${this.url}/v1/refunds`, { method: 'POST', body, headers }))?.ok ?? false;
  }

  /** Pays on a hosted page. @returns whether the page redirected to the address for completed payments */
  async payOnPage(page: string, card: string): Promise<boolean> {
    const body = new URLSearchParams({ payment_method: card });
    const answer = await reach(page, { method: 'POST', body, redirect: 'manual' });
    return DONE_ADDRESS.test(answer?.headers.get('Location') ?? '');
  }

  /** Returns the attempts whose pages can be paid now. @throws Error when the gateway is down */
  async openPages(secretKey: string): Promise<string[]> {
    const open = Sessions.parse(await this.list(secretKey, '/v1/checkout/sessions', { status: 'open' }));
    return open.flatMap(({ metadata }) => metadata['attempt_id'] ?? []);
  }

  /**
   * Lists all refunds of an account, including those made outside the platform. @throws Error when the gateway is down
   */
  async refunds(secretKey: string): Promise<GatewayRefund[]> {
    return GatewayRefunds.parse(await this.list(secretKey, '/v1/refunds'));
  }

  /** Lists the money movements of one remittance or gift, or of all. @throws Error when the gateway is down */
  async ledger(subject: { remittance_id?: string; donation_id?: string } = {}): Promise<Movement[]> {
    return Ledger.parse(await this.read(`/ledger?${new URLSearchParams(subject)}`));
  }

  /** Lists deliveries of events that the platform handles. @throws Error when the gateway is down */
  async deliveries(status: 'pending' | 'failed'): Promise<Delivery[]> {
    const all = Deliveries.parse(await this.read(`/deliveries?status=${status}`));
    return all.filter(({ type }) => HANDLED_EVENTS.has(type));
  }

  /** Reads all pages of an account's list. */
  private async list(secretKey: string, path: string, only: Record<string, string> = {}): Promise<unknown[]> {
    const headers = { Authorization: `Bearer ${secretKey}` };
    const query = new URLSearchParams({ ...only, limit: '100' });
    const items: unknown[] = [];
    for (;;) {
      const answer = await reach(`${this.url}${path}?${query}`, { headers });
      if (!answer?.ok) throw new Error(`The gateway did not list ${path}.`);
      const { data, has_more: hasMore } = Listed.parse(await answer.json());
      items.push(...data);
      if (!hasMore) return items;
      query.set('starting_after', String(data.at(-1)?.id));
    }
  }

  private async read(path: string): Promise<unknown> {
    const answer = await reach(this.controlUrl + path);
    if (!answer?.ok) throw new Error(`The gateway did not answer ${path}.`);
    return answer.json();
  }

  private async send(method: string, path: string, body: object): Promise<boolean> {
    const headers = { 'Content-Type': 'application/json' };
    return (await reach(this.controlUrl + path, { method, headers, body: JSON.stringify(body) }))?.ok ?? false;
  }
}

/** @returns null when the gateway does not answer */
async function reach(url: string, request: RequestInit = {}): Promise<Response | null> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch {
    return null;
  }
}
