/** Events, signed as Square signs them, to whoever wants to hear them; told again while nobody takes them. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Told } from './money.js';
import type { Endpoint, State } from './state.js';

const TRIES = 6;
const FIRST_PAUSE_MS = 200;

export class Hooks {
  private readonly pauses = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly state: State,
    private readonly log: (line: string) => void,
  ) {}

  tell({ account, type, object }: Told): void {
    const [kind = ''] = type.split('.');
    const id = (object[kind] as { id?: string }).id;
    const event = {
      merchant_id: account,
      type,
      event_id: randomUUID(),
      created_at: new Date().toISOString(),
      data: { type: kind, id, object },
    };
    const body = JSON.stringify(event);
    for (const endpoint of this.state.kept.endpoints)
      if (endpoint.account === null || endpoint.account === account) this.later(endpoint, body, 0, 0);
  }

  close(): void {
    this.closed = true;
    for (const pause of this.pauses) clearTimeout(pause);
  }

  private later(endpoint: Endpoint, body: string, tries: number, ms: number): void {
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      void this.send(endpoint, body, tries);
    }, ms);
    this.pauses.add(pause);
  }

  private async send(endpoint: Endpoint, body: string, tries: number): Promise<void> {
    const signature = squareSignatureOf(endpoint.url, body, endpoint.secret);
    const headers = { 'Content-Type': 'application/json', 'x-square-hmacsha256-signature': signature };
    const answer = await fetch(endpoint.url, { method: 'POST', body, headers }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok || this.closed) return;
    if (tries + 1 < TRIES) this.later(endpoint, body, tries + 1, FIRST_PAUSE_MS * 2 ** tries);
    else this.log(`event to ${new URL(endpoint.url).origin} given up`);
  }
}

export const squareSignatureOf = (url: string, body: string, secret: string): string =>
  createHmac('sha256', secret)
    .update(url + body)
    .digest('base64');
