/** Sends signed webhook events to the registered endpoints, with retries. */
import type { WebhookEndpoint } from './storedState.js';

const MAX_TRIES = 6;
const FIRST_BACKOFF_MS = 200;

export class WebhookSender<Endpoint extends WebhookEndpoint> {
  private readonly pauses = new Set<NodeJS.Timeout>();
  private closed = false;

  /** @param signatureOf returns the headers that sign a body for an endpoint */
  constructor(
    private readonly signatureOf: (endpoint: Endpoint, body: string) => Record<string, string>,
    private readonly log: (line: string) => void,
  ) {}

  /** Sends an event to all endpoints that are registered for the account. */
  sendEvent(endpoints: readonly Endpoint[], account: string, event: unknown): void {
    const body = JSON.stringify(event);
    for (const endpoint of endpoints)
      if (endpoint.account === null || endpoint.account === account) this.schedule(endpoint, body, 0, 0);
  }

  close(): void {
    this.closed = true;
    for (const pause of this.pauses) clearTimeout(pause);
  }

  private schedule(endpoint: Endpoint, body: string, tries: number, ms: number): void {
    const pause = setTimeout(() => {
      this.pauses.delete(pause);
      void this.deliver(endpoint, body, tries);
    }, ms);
    this.pauses.add(pause);
  }

  private async deliver(endpoint: Endpoint, body: string, tries: number): Promise<void> {
    const headers = { 'Content-Type': 'application/json', ...this.signatureOf(endpoint, body) };
    const answer = await fetch(endpoint.url, { method: 'POST', body, headers }).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.ok || this.closed) return;
    if (tries + 1 < MAX_TRIES) this.schedule(endpoint, body, tries + 1, FIRST_BACKOFF_MS * 2 ** tries);
    else this.log(`event to ${new URL(endpoint.url).origin} given up after all retries`);
  }
}
