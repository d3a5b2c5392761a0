/** The stand-in gateway from outside: its control port, and its API as the organizations' accountants use it. */
import { z } from 'zod';
import { HANDLED_EVENTS } from '../../models/finances/webhooks/handledEvents.js';

const Ledger = z.array(
  z.object({
    kind: z.enum(['capture', 'refund']),
    payment_intent: z.string(),
    remittance_id: z.string().nullable(),
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

const Sessions = z.array(z.object({ metadata: z.record(z.string(), z.string()) }));

const GivenBack = z.array(
  z.object({
    id: z.string(),
    payment_intent: z.string(),
    amount: z.number(),
    status: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
);
export type GivenBack = z.infer<typeof GivenBack>[number];

const PATIENCE_MS = 3_000;

export class Gateway {
  /** Faults that were ordered and taken, by kind. */
  readonly ordered = new Map<string, number>();

  constructor(
    readonly url: string,
    readonly controlUrl: string,
  ) {}

  get ledgerUrl(): string {
    return `${this.controlUrl}/ledger`;
  }

  /** Orders a fault. @returns false when the gateway is down: then nothing is broken just now */
  async order(fault: { kind: string; remittance_id?: string } & Record<string, unknown>): Promise<boolean> {
    const taken = await this.tell('POST', '/faults', fault);
    if (taken) this.ordered.set(fault.kind, (this.ordered.get(fault.kind) ?? 0) + 1);
    return taken;
  }

  /** Keeps back what happens on an invoice's pages: nobody tells us until the gateway is started anew. */
  async withholdEvents(invoiceId: string): Promise<void> {
    await this.order({ kind: 'delay_events', invoice_id: invoiceId, delay_ms: 3_600_000 });
  }

  /** Lets a held request go on; one that a dead gateway held is gone anyway. */
  async release(remittanceId: string): Promise<void> {
    await this.tell('POST', '/release', { remittance_id: remittanceId });
  }

  /** Sends the events of a remittance again. */
  async repeatEvents(remittanceId: string): Promise<void> {
    if (await this.tell('POST', '/events/redeliver', { remittance_id: remittanceId }))
      this.ordered.set('repeat_events', (this.ordered.get('repeat_events') ?? 0) + 1);
  }

  /** Gives part of a charge back, as an accountant would on the provider's own pages. @returns whether it was done */
  async refund(secretKey: string, paymentIntent: string, cents: number, idempotencyKey: string): Promise<boolean> {
    const body = new URLSearchParams({ payment_intent: paymentIntent, amount: String(cents) });
    const headers = { Authorization: `Bearer ${secretKey}`, 'Idempotency-Key': idempotencyKey };
    return (await reach(`${this.url}/v1/refunds`, { method: 'POST', body, headers }))?.ok ?? false;
  }

  /** Pays on a hosted page. @returns whether the page led back to where people land who have paid */
  async payOnPage(page: string, card: string): Promise<boolean> {
    const body = new URLSearchParams({ payment_method: card });
    const answer = await reach(page, { method: 'POST', body, redirect: 'manual' });
    return answer?.headers.get('Location')?.endsWith('?payment=done') ?? false;
  }

  /** The attempts on whose pages somebody could pay now. @throws Error when the gateway cannot be asked */
  async openPages(secretKey: string): Promise<string[]> {
    const open = Sessions.parse(await this.list(secretKey, '/v1/checkout/sessions', { status: 'open' }));
    return open.flatMap(({ metadata }) => metadata['attempt_id'] ?? []);
  }

  /** What an account gave back, whoever asked for it. @throws Error when the gateway cannot be asked */
  async refunds(secretKey: string): Promise<GivenBack[]> {
    return GivenBack.parse(await this.list(secretKey, '/v1/refunds'));
  }

  /** What truly moved, of one remittance or of all. @throws Error when the gateway cannot be asked */
  async ledger(remittanceId?: string): Promise<Movement[]> {
    return Ledger.parse(await this.read(`/ledger${remittanceId ? `?remittance_id=${remittanceId}` : ''}`));
  }

  /** Of events that change something here. @throws Error when the gateway cannot be asked */
  async deliveries(status: 'pending' | 'failed'): Promise<Delivery[]> {
    const all = Deliveries.parse(await this.read(`/deliveries?status=${status}`));
    return all.filter(({ type }) => HANDLED_EVENTS.has(type));
  }

  /** A list of an account's, with all of its pages. */
  private async list(secretKey: string, path: string, only: Record<string, string> = {}): Promise<unknown[]> {
    const headers = { Authorization: `Bearer ${secretKey}` };
    const query = new URLSearchParams({ ...only, limit: '100' });
    const listed: unknown[] = [];
    for (;;) {
      const answer = await reach(`${this.url}${path}?${query}`, { headers });
      if (!answer?.ok) throw new Error(`The gateway did not list ${path}.`);
      const { data, has_more: more } = Listed.parse(await answer.json());
      listed.push(...data);
      if (!more) return listed;
      query.set('starting_after', String(data.at(-1)?.id));
    }
  }

  private async read(path: string): Promise<unknown> {
    const answer = await reach(this.controlUrl + path);
    if (!answer?.ok) throw new Error(`The gateway did not answer ${path}.`);
    return answer.json();
  }

  private async tell(method: string, path: string, body: object): Promise<boolean> {
    const headers = { 'Content-Type': 'application/json' };
    return (await reach(this.controlUrl + path, { method, headers, body: JSON.stringify(body) }))?.ok ?? false;
  }
}

/** @returns null when nobody answers */
async function reach(url: string, request: RequestInit = {}): Promise<Response | null> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch {
    return null;
  }
}
