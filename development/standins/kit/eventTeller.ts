/** Events, signed, to whoever wants to hear them; told again while nobody takes them. */
import type { Hearer } from './keptState.js';

const TRIES = 6;
const FIRST_PAUSE_MS = 200;

export class EventTeller<Endpoint extends Hearer> {
  private readonly pauses = new Set<NodeJS.Timeout>();
  private closed = false;

  /** @param signatureOf the headers that sign a body for whoever hears it */
  constructor(
    private readonly signatureOf: (endpoint: Endpoint, body: string) => Record<string, string>,
    private readonly log: (line: string) => void,
  ) {}

  /** Tells those who hear the account's events. */
  tell(endpoints: readonly Endpoint[], account: string, event: unknown): void {
    const body = JSON.stringify(event);
    for (const endpoint of endpoints)
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
    const headers = { 'Content-Type': 'application/json', ...this.signatureOf(endpoint, body) };
    const answer = await fetch(endpoint.url, { method: 'POST', body, headers }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok || this.closed) return;
    if (tries + 1 < TRIES) this.later(endpoint, body, tries + 1, FIRST_PAUSE_MS * 2 ** tries);
    else this.log(`event to ${new URL(endpoint.url).origin} given up`);
  }
}
