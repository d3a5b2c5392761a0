/** One HTTP request and its answer. */
import type http from 'node:http';

const MAX_BODY_BYTES = 1_048_576;

export interface Answer {
  status: number;
  body: string;
  headers: Record<string, string>;
}

/** Returns a JSON answer, indented like Stripe's. */
export function jsonAnswer(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    body: `${JSON.stringify(body, null, 2)}\n`,
    headers: { 'Content-Type': 'application/json', ...headers },
  };
}

export class BodyTooLarge extends Error {}

export class Exchange {
  readonly url: URL;
  /** The kind of fault that was applied, for the request log. */
  fault: string | null = null;
  /** Resolves when the client has disconnected. */
  readonly closed: Promise<void>;

  constructor(
    readonly request: http.IncomingMessage,
    readonly response: http.ServerResponse,
  ) {
    // The host is irrelevant, and the client's Host header may not be parsable.
    this.url = new URL(`http://standin${(request.url ?? '/').replace(/^\/+/, '/')}`);
    this.closed = new Promise((resolve) => {
      response.once('close', () => resolve());
    });
  }

  get method(): string {
    return this.request.method ?? 'GET';
  }

  header(name: string): string | null {
    const value = this.request.headers[name];
    return typeof value === 'string' && value !== '' ? value : null;
  }

  /** Returns the whole body as text. */
  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of this.request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY_BYTES) throw new BodyTooLarge('the body is too large');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  /** Sends an answer, unless the client has disconnected. */
  send(answer: Answer): void {
    if (this.response.destroyed || this.response.headersSent) return;
    this.response.writeHead(answer.status, { ...answer.headers, 'Content-Length': Buffer.byteLength(answer.body) });
    this.response.end(answer.body);
  }

  /** Destroys the connection without an answer. */
  drop(): void {
    this.request.socket.destroy();
  }
}
